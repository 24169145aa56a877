import type { InstanceKey } from '../core/event.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import { invokeModel } from './invoke-model.ts';
import type { Parking } from './parking.ts';
import type { ModelInvoker, ParkedEvent } from './ports.ts';

/** How many parked events are applied in one invoke. */
const pageSize = 100;

/**
 * Applies an instance's parked events, in order, until none is left or the
 * model fails on one again; that one and those behind it stay parked. An event
 * leaves the queue only when it is applied, rejected or a duplicate, so that
 * doing this again after a crash goes on where it was.
 *
 * @throws Error when storage or Lambda fail: to be tried again as a whole.
 */
export async function resume(
  { models, parking, deadLetters }: Parking & { readonly models: ModelInvoker },
  { functionArn }: RegistryEntry,
  instance: InstanceKey,
): Promise<void> {
  for (let stuck = false; !stuck; ) {
    const page = await parking.oldest(instance, pageSize);
    if (page.length === 0) break;
    const outcomes = await invokeModel(models, functionArn, page, { resume: true });
    for (const [index, parked] of page.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.outcome === 'failed' && outcome.fault === 'service')
        throw new Error(outcome.reason);
      if (outcome.outcome === 'failed' || outcome.outcome === 'behind') {
        stuck = true;
        if (outcome.outcome === 'failed') await markFault(parked, outcome.reason);
        break;
      }
      await deadLetters.remove(parked.letterId);
      await parking.remove(instance, parked.position);
    }
  }
  await parking.writeCount(instance);

  /** What stopped the queue is the fault now, though it may only have waited until now. */
  async function markFault(parked: ParkedEvent, reason: string): Promise<void> {
    if (parked.fault && parked.reason === reason) return;
    const letter = await deadLetters.get(parked.letterId);
    if (letter) await deadLetters.put([{ ...letter, reason }]);
    await parking.park({ ...parked, fault: true, reason });
  }
}
