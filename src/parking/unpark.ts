import pMap from 'p-map';
import { deadLetterId } from '../core/event/dead-letter.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/sequence.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import { finishQueueChange } from './finish-queue-change.ts';
import type { ParkingDependencies } from './parking-dependencies.ts';
import type { ParkedEvent } from './parking-store.ts';

/** The maximum number of dead letters that are removed concurrently. A batch can contain hundreds of applied events. */
const concurrency = 10;

/** Removes applied events that a crash may have left in the queue. */
export async function unpark(
  { parking, deadLetters }: ParkingDependencies,
  instance: InstanceKey,
  applied: readonly StreamRecord[],
): Promise<void> {
  const change = await parking.begin(instance, applied[0]!.position);
  // An interrupted attempt may have written a dead letter after its event was dequeued. The dead letters are removed
  // before the queue is read: if a slow dispatcher parks one of the events in the meantime, the event is found and
  // dequeued, and does not remain parked without a dead letter.
  if (!change.before)
    await pMap(applied, (record) => deadLetters.remove(deadLetterId(record)), { concurrency });
  const left = await parking.find(
    instance,
    applied.map(({ position }) => position),
  );
  await dequeue({ parking, deadLetters }, instance, left);
  const [oldest] = await parking.oldest(instance, 1);
  const made = { added: -left.length, oldest, events: left };
  await finishQueueChange({ parking, deadLetters }, change, made);
}

/** Removes a parked event from the queue so that the instance can continue without it. The dead letter remains. */
export async function skipParkedEvent(
  { parking, deadLetters }: ParkingDependencies,
  instance: InstanceKey,
  position: StreamPosition,
): Promise<void> {
  const change = await parking.begin(instance, position);
  const found = await parking.find(instance, [position]);
  await parking.remove(instance, [position]);
  const [oldest] = await parking.oldest(instance, 1);
  await finishQueueChange({ parking, deadLetters }, change, {
    added: -found.length,
    oldest,
    events: [],
  });
}

/**
 * Dequeues completed events. Deletes their dead letters first: after a crash, the retry still finds the events in the
 * queue.
 */
export async function dequeue(
  { parking, deadLetters }: ParkingDependencies,
  instance: InstanceKey,
  done: readonly ParkedEvent[],
): Promise<void> {
  await deadLetters.removeParked(done);
  await parking.remove(
    instance,
    done.map(({ position }) => position),
  );
}
