import type { InstanceKey } from '../core/event.ts';
import { storedReason } from '../core/reason.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { BatchReport } from './batch-report.ts';
import type { Deadline } from './deadline.ts';
import { invokeModel } from './invoke-model.ts';
import { type Parking, unpark } from './parking.ts';
import type { ModelInvoker, ParkedEvent } from './ports.ts';

/** How many parked events are applied in one invoke. */
const pageSize = 100;

/** What applying parked events again needs around it. */
export interface ResumeEnvironment extends Parking {
  readonly models: ModelInvoker;
  readonly report: BatchReport;
  /** No invocation of the model starts after this moment. */
  readonly invokeBy: Deadline;
}

/**
 * Applies an instance's parked events, in order, until none is left or the
 * model fails on one again; that one and those behind it stay parked. An event
 * leaves the queue only when it is applied, rejected or a duplicate, so that
 * doing this again after a crash goes on where it was.
 *
 * @throws Error when storage or Lambda fail: to be tried again as a whole.
 */
export async function resume(
  { models, parking, deadLetters, report, invokeBy }: ResumeEnvironment,
  { functionArn }: RegistryEntry,
  instance: InstanceKey,
): Promise<void> {
  for (let stuck = false; !stuck; ) {
    const page = await parking.oldest(instance, pageSize);
    if (page.length === 0) break;
    const outcomes = await invokeModel(models, functionArn, page, {
      deadline: invokeBy,
      resume: true,
    });
    const end = outcomes.findIndex(({ outcome }) => outcome === 'failed' || outcome === 'behind');
    stuck = end !== -1;
    await unpark({ parking, deadLetters }, instance, stuck ? page.slice(0, end) : page);
    for (const { outcome } of stuck ? outcomes.slice(0, end) : outcomes)
      if (outcome !== 'failed' && outcome !== 'behind') report.resumed(instance.model, outcome);
    const last = outcomes[end];
    if (last?.outcome !== 'failed') continue;
    if (last.fault === 'service') throw new Error(last.reason);
    await markFault(page[end]!, last.reason);
  }
  await parking.writeCount(instance);

  /** What stopped the queue is the fault now, though it may only have waited until now. */
  async function markFault(parked: ParkedEvent, whole: string): Promise<void> {
    const reason = storedReason(whole);
    if (parked.fault && parked.reason === reason) return;
    const letter = await deadLetters.get(parked.letterId);
    if (letter) await deadLetters.replace({ ...letter, reason });
    await parking.replace({ ...parked, fault: true, reason });
  }
}
