import { messageOf } from '../../common/message-of.ts';
import { isPermanent } from '../../core/errors.ts';
import { behindReason } from '../../core/event/dead-letter-reason.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { BlockedEvent } from '../../parking/blocked-event.ts';
import { park } from '../../parking/park.ts';
import { sealBlockedEvents } from '../../parking/seal-blocked-events.ts';
import { unpark } from '../../parking/unpark.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import { lastPosition } from '../../stream/stream-record.ts';
import { type RedriveDependencies, redriveQueue, redriveTimeSlice } from '../redrive-queue.ts';
import type { BatchFailures } from './batch-failures.ts';
import { isRetryExhausted, type OverdueDependencies } from './overdue-events.ts';
import { rejectEvent } from './rejected-record.ts';

export interface ParkBlockedDependencies extends RedriveDependencies, OverdueDependencies {
  /** The keys that seal the data of parked events; undefined if the tracker does not have the option `personalData`. */
  readonly dataKeys?: DataKeys;
}

/** The outcome of a batch's blocked events: the records to redeliver, the rejected records, and the parked events. */
export interface BlockedOutcome extends BatchFailures {
  /** The events that were parked. */
  readonly parked: readonly BlockedEvent[];
}

/**
 * Parks one instance's blocked events and removes duplicates from its queue. If the instance's data key can never be
 * read again, its events cannot be sealed, so they are rejected instead of parked. Otherwise, their records would be
 * redelivered until they expire, and would hold back other instances.
 *
 * @param duplicates events that are already applied but may still be in the queue because of a crash.
 */
export async function parkBlockedEvents(
  dependencies: ParkBlockedDependencies,
  entry: RegistryEntry,
  blocked: readonly BlockedEvent[],
  duplicates: readonly ReceivedEvent[],
): Promise<BlockedOutcome> {
  const { failures, rejected } = await sealAndPark(dependencies, entry, blocked);
  if (failures.length > 0)
    return { failures: [...failures, ...duplicates.map(behindFailure)], rejected, parked: [] };
  const parked = rejected.length > 0 ? [] : blocked;
  const queued = parked.map(({ received }) => received);
  for (const received of queued) dependencies.recorder.recordOutcome(received, 'parked');
  const unfinished = await tidyQueue(dependencies, entry, queued, duplicates);
  return { failures: unfinished, rejected, parked };
}

/**
 * Removes duplicates from an instance's queue, and redrives the queue if its oldest event is not faulty.
 *
 * @returns the records to redeliver.
 */
async function tidyQueue(
  dependencies: ParkBlockedDependencies,
  entry: RegistryEntry,
  parked: readonly ReceivedEvent[],
  duplicates: readonly ReceivedEvent[],
): Promise<BatchItemFailure[]> {
  const events = [...parked, ...duplicates];
  if (events.length === 0) return [];
  const records = events.map(({ record }) => record);
  const instance = events[0]!.event;
  try {
    if (duplicates.length > 0) {
      const applied = duplicates.map(({ record }) => record);
      await unpark(dependencies, instance, applied);
    }
    // A redrive may have emptied the queue after the model's function saw it. In this case, the oldest parked event is
    // not faulty, and without this redrive, the events would remain parked.
    const [head] = await dependencies.parking.oldest(instance, 1);
    if (!head || head.fault) return [];
    const cause = records[0]!.position;
    const upTo = lastPosition(records);
    const sliceEnd = dependencies.invokeBy.within(redriveTimeSlice);
    await redriveQueue(dependencies, entry, { instance, cause, upTo, sliceEnd });
    return [];
  } catch (error) {
    // The events are already parked or applied, so none is lost. The redelivery calls this function again. After hours
    // of failures, the records are no longer returned, so the stream can deliver the records after them.
    const reason = messageOf(error);
    return events
      .filter((received) => !isRetryExhausted(dependencies, { received, reason }))
      .map(({ record }) => ({ record, reason }));
  }
}

/** Parks an instance's events. If the model has sensitive fields, seals the events first. */
async function sealAndPark(
  dependencies: ParkBlockedDependencies,
  { id, sensitive }: RegistryEntry,
  blocked: readonly BlockedEvent[],
): Promise<BatchFailures> {
  const { dataKeys } = dependencies;
  const instance = blocked[0]?.received.event;
  if (!instance) return { failures: [], rejected: [] };
  let sealed = blocked;
  try {
    if (sensitive) {
      if (!dataKeys)
        throw new Error(
          `model ${id} has sensitive fields, which require personalData: true on the ProcessTracker`,
        );
      sealed = await sealBlockedEvents(dataKeys, instance, blocked);
    }
  } catch (error) {
    const reason = `could not be sealed: ${messageOf(error)}`;
    return isPermanent(error)
      ? { failures: [], rejected: blocked.map(({ received }) => rejectEvent(received, reason)) }
      : { failures: blocked.map(({ received: { record } }) => ({ record, reason })), rejected: [] };
  }
  return { failures: await park(dependencies, instance, sealed), rejected: [] };
}

const behindFailure = ({ record }: ReceivedEvent): BatchItemFailure => ({
  record,
  reason: behindReason,
});
