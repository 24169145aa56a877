import { messageOf } from '../common/message-of.ts';
import { isRedrive } from '../core/event/redrive.ts';
import { isRebuild } from '../core/replay/rebuild.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../stream/received-event.ts';
import { applyEvents } from './apply-events.ts';
import type { BatchDependencies } from './dispatch-dependencies.ts';
import { putDeadLetters } from './failures/put-dead-letters.ts';
import { rejectEvent } from './failures/rejected-record.ts';
import { rebuildInstances } from './rebuild.ts';
import { redriveInstances } from './redrive.ts';

/**
 * Applies one model's events in a batch and then performs the redrives and rebuilds that the batch requests.
 *
 * @returns the records to redeliver. Never throws an error.
 */
export async function dispatchToModel(
  batch: BatchDependencies,
  model: string,
  received: readonly ReceivedEvent[],
): Promise<BatchItemFailure[]> {
  const { registry, log } = batch;
  try {
    const redrives = received.filter(({ event }) => isRedrive(event));
    const rebuilds = received.filter(({ event }) => isRebuild(event));
    // Operators often request a redrive or rebuild right after they deploy or roll back the model.
    const isRequested = redrives.length > 0 || rebuilds.length > 0;
    const entry = await (isRequested ? registry.getLatest(model) : registry.get(model));
    if (!entry) {
      const unknown = received.map((each) => rejectEvent(each, `no such model: ${model}`));
      return await putDeadLetters(batch, unknown);
    }
    const events = received.filter(({ event }) => !isRedrive(event) && !isRebuild(event));
    const applied =
      events.length > 0
        ? await applyEvents(batch, entry, events)
        : { failures: [], rejected: [], parked: [] };
    if (applied.parked.length > 0) log.parked(applied.parked);
    const redriven = await redriveInstances(batch, entry, redrives, {
      events,
      failures: applied.failures,
    });
    const rebuilt = await rebuildInstances(batch, entry, rebuilds);
    const rejected = [...applied.rejected, ...redriven.rejected, ...rebuilt.rejected];
    const failures = [
      ...applied.failures,
      ...redriven.failures,
      ...rebuilt.failures,
      ...(await putDeadLetters(batch, rejected)),
    ];
    // The model may have failed because its function was replaced or removed.
    if (failures.length > 0 || applied.parked.length > 0) registry.invalidate(model);
    return failures;
  } catch (error) {
    return received.map(({ record }) => ({ record, reason: messageOf(error) }));
  }
}
