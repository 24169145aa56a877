import { messageOf } from '../common/message-of.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import { type ReceivedEvent, toPositionedEvent } from '../stream/received-event.ts';
import type { BatchDependencies } from './dispatch-dependencies.ts';
import type { BatchFailures } from './failures/batch-failures.ts';
import { isRetryExhausted } from './failures/overdue-events.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';
import { invokeRebuild } from './invoke-model.ts';

/** Rebuilds instances from their histories, and the counts on their status rows from their queues. */
export async function rebuildInstances(
  { models, parking, invokeBy, clock }: BatchDependencies,
  { functionArn }: RegistryEntry,
  rebuilds: readonly ReceivedEvent[],
): Promise<BatchFailures> {
  const failures: BatchItemFailure[] = [];
  const rejected: RejectedRecord[] = [];
  if (rebuilds.length === 0) return { failures, rejected };
  try {
    // First, because the row tells models whether events have to wait behind parked ones.
    for (const { event } of rebuilds) await parking.recount(event);
    const positioned = rebuilds.map(toPositionedEvent);
    const outcomes = await invokeRebuild(models, functionArn, positioned, { deadline: invokeBy });
    for (const [index, request] of rebuilds.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.outcome !== 'failed') continue;
      const { fault, reason } = outcome;
      if (fault === 'service' && !isRetryExhausted(request, reason, clock.now()))
        failures.push({ record: request.record, reason });
      // The instance stays unchanged and blocks no other.
      else rejected.push(rejectEvent(request, `could not be rebuilt: ${reason}`));
    }
    return { failures, rejected };
  } catch (error) {
    const reason = messageOf(error);
    return { failures: rebuilds.map(({ record }) => ({ record, reason })), rejected: [] };
  }
}
