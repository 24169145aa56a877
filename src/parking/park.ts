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
 * Parks an instance's events. Repeating it for the same records changes nothing.
 *
 * Either all of them are parked, or all of them have to be delivered again. Until then the queue change stays
 * announced, and a redrive after it waits for their redelivery. The order in which they are written is therefore
 * irrelevant, although they must be applied in stream order.
 *
 * @param blocked in stream order.
 * @returns the events that could not be parked and have to be delivered again.
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
    // The queue first: if a crash follows, the redelivered event finds itself parked and is handled here
    // again. With only a letter, it might be applied after redelivery.
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
  const id = deadLetterId(record.recordId, record.arrivedAt);
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

/** @throws the first error among the results. */
function valuesOrThrow<Value>(answers: readonly SettledResult<Value>[]): Value[] {
  return answers.map((answer) => {
    if ('error' in answer) throw answer.error;
    return answer.value;
  });
}
