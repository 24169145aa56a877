import { messageOf } from '../common/message-of.ts';
import { deadLetterId } from '../core/event/dead-letter.ts';
import { type InstanceKey, maximumEventBytes } from '../core/event/event.ts';
import { storedReason } from '../core/history/reason.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { SettledResult } from '../stores/settled-result.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { BlockedEvent } from './blocked-event.ts';
import { finishQueueChange } from './finish-queue-change.ts';
import type { ParkingDependencies } from './parking-dependencies.ts';
import type { ParkedEvent } from './parking-store.ts';

/**
 * Parks an instance's events. Parking the same records again changes nothing.
 *
 * Either all events are parked, or all events must be redelivered. Until all events are parked, the queue change
 * remains announced, and later redrives wait until the events are redelivered. The events can therefore be written in
 * any order, although they must be applied in stream order.
 *
 * @param blocked the events to park, in stream order.
 * @returns the records to redeliver: all records if the events could not be parked; otherwise, none.
 */
export async function park(
  { parking, deadLetters }: ParkingDependencies,
  instance: InstanceKey,
  blocked: readonly BlockedEvent[],
): Promise<BatchItemFailure[]> {
  try {
    const change = await parking.begin(instance, blocked[0]!.received.record.position);
    const both = blocked.map(parkedEventAndLetter);
    const events = both.map(({ parked }) => parked);
    // Events are added to the queue before their dead letters are stored. If the process crashes in between, a
    // redelivered event is still parked, and this function is called again. If only the dead letter existed, the
    // redelivered event could be applied.
    const answers = valuesOrThrow(await parking.park(events));
    valuesOrThrow(await deadLetters.put(both.map(({ letter }) => letter)));
    const areNew = answers.every((answer) => answer === 'parked');
    const ages = [...events.map(({ at }) => at), change.before?.since ?? events[0]!.at];
    await finishQueueChange({ parking, deadLetters }, change, {
      added: areNew ? events.length : undefined,
      oldest: { at: ages.toSorted()[0]! },
      events,
    });
    return [];
  } catch (error) {
    const reason = `could not be parked: ${messageOf(error)}`;
    return blocked.map(({ received }) => ({ record: received.record, reason }));
  }
}

function parkedEventAndLetter({ received: { record, event }, reason: whole, fault }: BlockedEvent) {
  const reason = storedReason(whole);
  const id = deadLetterId(record);
  const at = toIso(record.arrivedAt);
  const parked: ParkedEvent = {
    ...{ event, position: record.position, reason, fault, at, letterId: id },
    ...(record.data.byteLength > maximumEventBytes && { hasLargeLetter: true }),
  };
  const letter = {
    id,
    reason,
    at,
    modelId: event.model,
    transactionId: event.transaction,
    eventId: event.id,
    partitionKey: record.partitionKey,
    parked: record.position,
    raw: record.data,
  };
  return { parked, letter };
}

/** Returns the values of all results, or throws the first error. */
function valuesOrThrow<Value>(answers: readonly SettledResult<Value>[]): Value[] {
  return answers.map((answer) => {
    if ('error' in answer) throw answer.error;
    return answer.value;
  });
}
