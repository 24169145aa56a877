import type { InstanceKey } from '../../core/event/event.ts';
import type { ParkedEvent, ParkingStore } from '../../parking/parking-store.ts';

/** An instance's queue: the number of parked events and the oldest one, which the others wait for. */
export interface ParkedEvents {
  readonly count: number;
  /** Undefined if no event is parked. */
  readonly oldest: ParkedEvent | undefined;
}

/**
 * Reads the number of an instance's parked events and the oldest one.
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
