import { messageOf } from '../common/message-of.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import { type ReceivedEvent, toPositionedEvent } from '../stream/received-event.ts';
import type { BatchDependencies } from './dispatch-dependencies.ts';
import type { BatchFailures } from './failures/batch-failures.ts';
import { isRetryExhausted } from './failures/overdue-events.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';
import { invokeRebuild } from './invoke-model.ts';

/** Rebuilds instances from their histories, and corrects the numbers of parked events on their status rows. */
export async function rebuildInstances(
  batch: BatchDependencies,
  { functionArn }: RegistryEntry,
  rebuilds: readonly ReceivedEvent[],
): Promise<BatchFailures> {
  const { models, parking, invokeBy } = batch;
  const failures: BatchItemFailure[] = [];
  const rejected: RejectedRecord[] = [];
  if (rebuilds.length === 0) return { failures, rejected };
  try {
    // Rows are corrected first, because a model's function reads from the row whether later events must wait behind
    // parked events.
    for (const { event } of rebuilds) await parking.recount(event);
    const positioned = rebuilds.map(toPositionedEvent);
    const outcomes = await invokeRebuild(models, functionArn, positioned, { deadline: invokeBy });
    for (const [index, request] of rebuilds.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.outcome !== 'failed') continue;
      const { fault, reason } = outcome;
      if (fault === 'service' && !isRetryExhausted(batch, { received: request, reason }))
        failures.push({ record: request.record, reason });
      // The instance remains unchanged. The dead letter informs operators, and the failed request does not block other
      // records.
      else rejected.push(rejectEvent(request, `could not be rebuilt: ${reason}`));
    }
    return { failures, rejected };
  } catch (error) {
    const reason = messageOf(error);
    return { failures: rebuilds.map(({ record }) => ({ record, reason })), rejected: [] };
  }
}
