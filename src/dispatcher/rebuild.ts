import pMap from 'p-map';
import { messageOf } from '../common/message-of.ts';
import { isPermanent } from '../core/errors.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import { type ReceivedEvent, toPositionedEvent } from '../stream/received-event.ts';
import type { BatchDependencies } from './dispatch-dependencies.ts';
import type { BatchFailures } from './failures/batch-failures.ts';
import { isRetryExhausted, refusedForHours } from './failures/overdue-events.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';
import { invokeRebuild } from './invoke-model.ts';

/** The maximum number of instances whose parked events are counted concurrently. */
const concurrency = 8;

/**
 * Rebuilds instances from their histories and corrects the numbers of parked events on their status rows. A failed
 * request does not affect the other requests. If the failure is permanent or AWS has rejected the request for hours,
 * the request becomes a dead letter, which operators can see, and the instance's state remains unchanged.
 */
export async function rebuildInstances(
  batch: BatchDependencies,
  { functionArn }: RegistryEntry,
  rebuilds: readonly ReceivedEvent[],
): Promise<BatchFailures> {
  const { models, parking, invokeBy } = batch;
  const failures: BatchItemFailure[] = [];
  const rejected: RejectedRecord[] = [];
  const fail = (request: ReceivedEvent, reason: string, isTemporary: boolean) => {
    if (!isTemporary) rejected.push(rejectEvent(request, `could not be rebuilt: ${reason}`));
    else if (isRetryExhausted(batch, { received: request, reason }))
      rejected.push(
        rejectEvent(request, `could not be rebuilt, because ${refusedForHours}: ${reason}`),
      );
    else failures.push({ record: request.record, reason });
  };
  // Status rows are corrected first because they tell a model's function whether events must wait behind parked events.
  const recount = async (request: ReceivedEvent): Promise<boolean> => {
    try {
      // All the batch's records wait for the counts, and a count can take several seconds to fail. After the
      // deadline, counts are skipped: the model is no longer invoked, so the remaining requests fail below.
      if (!invokeBy.hasPassed) await parking.recount(request.event);
      return true;
    } catch (error) {
      fail(request, messageOf(error), !isPermanent(error));
      return false;
    }
  };
  const isCounted = await pMap(rebuilds, recount, { concurrency });
  const counted = rebuilds.filter((_, index) => isCounted[index]);
  if (counted.length === 0) return { failures, rejected };
  const positioned = counted.map(toPositionedEvent);
  const outcomes = await invokeRebuild(models, functionArn, positioned, { deadline: invokeBy });
  for (const [index, request] of counted.entries()) {
    const outcome = outcomes[index]!;
    if (outcome.outcome === 'failed') fail(request, outcome.reason, outcome.fault === 'service');
  }
  return { failures, rejected };
}
