import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { ParkedEvent, ParkingStore } from '../../parking/parking-store.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { findInstance } from './read-instance.ts';

/** An instance's queue: the number of parked events and the oldest event, which the other events wait for. */
export interface ParkedEvents {
  readonly count: number;
  /** Undefined if no event is parked. */
  readonly oldest: ParkedEvent | undefined;
}

/**
 * Reads the number of an instance's parked events and the oldest parked event.
 *
 * @param mayHaveParked false if the instance is known to have no parked events.
 */
export async function readParked(
  parking: ParkingStore,
  key: InstanceKey,
  mayHaveParked: boolean,
): Promise<ParkedEvents> {
  if (!mayHaveParked) return { count: 0, oldest: undefined };
  const [count, [oldest]] = await Promise.all([parking.count(key), parking.oldest(key, 1)]);
  return { count, oldest };
}

/**
 * Reads an instance and its queue with strong consistency. If a redrive empties the queue of an instance without
 * commits between the reads, the instance and the queue are read again, because the instance now has a commit.
 *
 * @returns the latest commit, if there is one, and the queue; undefined if the instance does not exist.
 */
export async function findWithParked(
  { instances, parking }: Pick<RouteDependencies, 'instances' | 'parking'>,
  key: InstanceKey,
): Promise<{ readonly commit?: Commit; readonly parked: ParkedEvents } | undefined> {
  const find = async () => {
    const found = await findInstance(instances, key);
    return found && { ...found, parked: await readParked(parking, key, found.hasParked) };
  };
  const found = await find();
  const isEmptied = found && !found.commit && !(found.parked.oldest && found.parked.count > 0);
  return isEmptied ? find() : found;
}
