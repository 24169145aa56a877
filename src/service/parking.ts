import pMap from 'p-map';
import { deadLetterId } from '../core/dead-letter.ts';
import { messageOf } from '../core/errors.ts';
import type { InstanceKey } from '../core/event.ts';
import { storedReason } from '../core/reason.ts';
import { toIso } from '../core/time.ts';
import type { Arrived, Failure } from './arrived.ts';
import type { DeadLetterStore, ParkedEvent, ParkingStore } from './ports.ts';

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
 * Parks an instance's events, in order. Doing it again for the same records
 * changes nothing.
 *
 * @returns those that could not be parked, and have to be delivered again.
 */
export async function park(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  stopped: readonly Stopped[],
): Promise<Failure[]> {
  const { shard, sequence } = stopped[0]!.arrived.record.position;
  const name = `${shard}/${sequence}`;
  for (const [index, each] of stopped.entries()) {
    try {
      // Whoever is quick to tell how far an instance is goes by its row, and not by the queue.
      if (index === 0) await parking.announce(instance, name);
      const { letter, parked } = parkedFrom(each);
      // The queue first: delivered again after a crash in between, the event finds itself parked
      // and comes here again, whereas after its letter alone it might now be applied.
      await parking.park(parked);
      const [answer] = await deadLetters.put([letter]);
      if ('error' in answer!) throw answer.error;
      // A redrive may have taken it out in between, when there was no letter yet.
      if (!(await parking.has(instance, parked.position))) await deadLetters.remove(letter.id);
    } catch (error) {
      // Those behind it must not get ahead of it.
      const reason = `could not be parked: ${messageOf(error)}`;
      return stopped.slice(index).map(({ arrived }) => ({ record: arrived.record, reason }));
    }
  }
  try {
    await parking.writeCount(instance, { parked: name });
    return [];
  } catch (error) {
    const reason = messageOf(error);
    return stopped.map(({ arrived }) => ({ record: arrived.record, reason }));
  }
}

/**
 * Takes events out that are done. They leave the queue last: by what is still in it a crash is
 * noticed, and this done again.
 */
export async function unpark(
  { parking, deadLetters }: Parking,
  instance: InstanceKey,
  done: readonly Pick<ParkedEvent, 'position' | 'letterId'>[],
): Promise<void> {
  if (done.length === 0) return;
  for (const { letterId } of done) await deadLetters.remove(letterId);
  // Another redrive may have taken some of them out before.
  const queued = await pMap(done, ({ position }) => parking.has(instance, position), {
    concurrency: 16,
  });
  const leaving = done.filter((_, index) => queued[index]);
  await parking.writeCount(instance, { leaving: leaving.length });
  for (const { position } of leaving) await parking.remove(instance, position);
  // One that was just being parked may have got its letter since, and one may be parked again.
  for (const { position, letterId } of done)
    if (!(await parking.has(instance, position))) await deadLetters.remove(letterId);
}

function parkedFrom({ arrived: { record, event }, reason: whole, fault }: Stopped) {
  const reason = storedReason(whole);
  const id = deadLetterId(record.eventId, record.arrivedAt);
  const at = toIso(record.arrivedAt);
  const parked: ParkedEvent = { event, position: record.position, reason, fault, at, letterId: id };
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
