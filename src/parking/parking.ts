import { messageOf } from '../common/message-of.ts';
import { deadLetterId } from '../core/event/dead-letter.ts';
import { type InstanceKey, maximumEventBytes } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/commit.ts';
import { storedReason } from '../core/history/reason.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { Arrived, Failure } from '../dispatcher/arrived.ts';
import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { Settled } from '../stores/settled.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import { endChange } from './end-change.ts';
import type { ParkedEvent, ParkingStore } from './parking-store.ts';

/** Where parked events are kept: with their instance, in order, and among the dead letters. */
export interface Parking {
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
}

/** An event that cannot be applied now. */
export interface Stopped {
  readonly arrived: Arrived;
  readonly reason: string;
  /** True when the model failed on it, false when it only waits behind one. */
  readonly fault: boolean;
}

/**
 * Parks an instance's events. Doing it again for the same records changes nothing.
 *
 * All of them are parked, or all have to be delivered again: until then they stay announced, and a
 * redrive that comes after them waits for their redelivery. So it does not matter in which order they
 * are written, although later ones must not be applied before earlier ones.
 *
 * @param stopped in the order in which they came.
 * @returns those that could not be parked, and have to be delivered again.
 */
export async function park(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  stopped: readonly Stopped[],
): Promise<Failure[]> {
  try {
    const change = await parking.begin(instance, stopped[0]!.arrived.record.position);
    const both = stopped.map(parkedFrom);
    const events = both.map(({ parked }) => parked);
    // The queue first: delivered again after a crash in between, the event finds itself parked and
    // comes here again, whereas after its letter alone it might now be applied.
    const answers = valuesOf(await parking.park(events));
    valuesOf(await deadLetters.put(both.map(({ letter }) => letter)));
    const areNew = answers.every((answer) => answer === 'parked');
    const ages = [...events.map(({ at }) => at), change.before?.since ?? events[0]!.at];
    await endChange({ parking, deadLetters }, change, {
      added: areNew ? events.length : undefined,
      oldest: { at: ages.toSorted()[0]! },
      events,
    });
    return [];
  } catch (error) {
    const reason = `could not be parked: ${messageOf(error)}`;
    return stopped.map(({ arrived }) => ({ record: arrived.record, reason }));
  }
}

/** Takes events that were applied out of the queue, if a crash has left them there. */
export async function unpark(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  applied: readonly StreamRecord[],
): Promise<void> {
  const change = await parking.begin(instance, applied[0]!.position);
  const left = await parking.find(
    instance,
    applied.map(({ position }) => position),
  );
  await takeOut({ parking, deadLetters }, instance, left);
  // An attempt that was interrupted may have put a letter after its event was taken out.
  if (!change.before) for (const record of applied) await deadLetters.remove(letterIdOf(record));
  const [oldest] = await parking.oldest(instance, 1);
  const made = { added: -left.length, oldest, events: left };
  await endChange({ parking, deadLetters }, change, made);
}

/** Takes a parked event out for good: the instance goes on without it. Its letter stays. */
export async function skip(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  position: StreamPosition,
): Promise<void> {
  const change = await parking.begin(instance, position);
  const found = await parking.find(instance, [position]);
  await parking.remove(instance, [position]);
  const [oldest] = await parking.oldest(instance, 1);
  await endChange({ parking, deadLetters }, change, { added: -found.length, oldest, events: [] });
}

/**
 * Takes events out that are done. They leave the queue last: by what is still in it a crash is
 * noticed, and this done again.
 */
export async function takeOut(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  done: readonly ParkedEvent[],
): Promise<void> {
  await deadLetters.removeParked(done);
  await parking.remove(
    instance,
    done.map(({ position }) => position),
  );
}

function parkedFrom({ arrived: { record, event }, reason: whole, fault }: Stopped) {
  const reason = storedReason(whole);
  const id = letterIdOf(record);
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

const letterIdOf = ({ eventId, arrivedAt }: StreamRecord) => deadLetterId(eventId, arrivedAt);

/** @throws the first error among them. */
function valuesOf<Value>(answers: readonly Settled<Value>[]): Value[] {
  return answers.map((answer) => {
    if ('error' in answer) throw answer.error;
    return answer.value;
  });
}
