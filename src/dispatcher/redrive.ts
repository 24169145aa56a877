import pMap from 'p-map';
import { messageOf } from '../common/message-of.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../stream/received-event.ts';
import { lastPosition } from '../stream/stream-record.ts';
import type { BatchDependencies } from './dispatch-dependencies.ts';
import type { BatchFailures } from './failures/batch-failures.ts';
import { isRetryExhausted, refusedForHours } from './failures/overdue-events.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';
import { outOfTimeReason } from './invoke-model.ts';
import { redriveQueue, redriveTimeSlice } from './redrive-queue.ts';

/** The maximum number of instances that are redriven concurrently. */
const concurrency = 8;

/**
 * Redrives the instances that the requests specify. Several requests for one instance cause a single redrive.
 *
 * @param before the batch's attempted events, and the records among them to redeliver. If one of an instance's events
 *   must be redelivered, its redrive request is also redelivered.
 */
export async function redriveInstances(
  batch: BatchDependencies,
  entry: RegistryEntry,
  redrives: readonly ReceivedEvent[],
  before: {
    readonly events: readonly ReceivedEvent[];
    readonly failures: readonly BatchItemFailure[];
  },
): Promise<BatchFailures> {
  const failures: BatchItemFailure[] = [];
  const rejected: RejectedRecord[] = [];
  const failedBefore = new Set(before.failures.map(({ record }) => record));
  const eventsOf = Map.groupBy(before.events, ({ event }) => event.transaction);
  const sliceEnd = batch.invokeBy.within(redriveTimeSlice);

  const redriveInstance = async ([transaction, requests]: [
    string,
    ReceivedEvent[],
  ]): Promise<void> => {
    const records = requests.map(({ record }) => record);
    const events = (eventsOf.get(transaction) ?? []).map(({ record }) => record);
    const obstacle = events.some((record) => failedBefore.has(record))
      ? 'earlier events of the instance must be redelivered first'
      : batch.invokeBy.hasPassed && outOfTimeReason;
    if (obstacle) {
      failures.push(...records.map((record) => ({ record, reason: obstacle })));
      return;
    }
    const redrive = { cause: records[0]!.position, upTo: lastPosition([...records, ...events]) };
    try {
      await redriveQueue(batch, entry, { instance: requests[0]!.event, ...redrive, sliceEnd });
    } catch (error) {
      const reason = messageOf(error);
      for (const request of requests)
        if (isRetryExhausted(batch, { received: request, reason }))
          rejected.push(
            rejectEvent(request, `could not be redriven, because ${refusedForHours}: ${reason}`),
          );
        else failures.push({ record: request.record, reason });
    }
  };
  const instances = Map.groupBy(redrives, ({ event }) => event.transaction);
  await pMap(instances, redriveInstance, { concurrency });
  return { failures, rejected };
}
