import type { ParkingDependencies } from './parking-dependencies.ts';
import type { ParkedEvent, QueueChange } from './parking-store.ts';

/** What a change did to a queue. */
export interface QueueChangeResult {
  /** The events that it parked or, below zero, took out. Undefined when that is not known. */
  readonly added: number | undefined;
  /** The oldest event after the change; undefined when the queue is empty. */
  readonly oldest: Pick<ParkedEvent, 'at'> | undefined;
  /** The events that it parked or took out. */
  readonly events: readonly Pick<ParkedEvent, 'position' | 'letterId' | 'hasLargeLetter'>[];
}

/**
 * Ends a change of a queue. If nothing interfered, the count follows from the one before. Otherwise the
 * queue is counted, and letters are removed whose events somebody else took out meanwhile.
 */
export async function finishQueueChange(
  { parking, deadLetters }: ParkingDependencies,
  change: QueueChange,
  { added, oldest, events }: QueueChangeResult,
): Promise<void> {
  const count = oldest ? (change.before?.count ?? 0) + (added ?? 0) : 0;
  // A row must never say that nothing is parked where something is: events would overtake it.
  const isPossible = count > 0 === (oldest !== undefined);
  if (change.before && added !== undefined && isPossible) {
    const after = { count, since: oldest?.at };
    if ((await parking.finish(change, after)) === 'finished') return;
  }
  // Whoever takes an event out while it is parked finds no letter yet, or is too early for its letter.
  const positions = events.map(({ position }) => position);
  const parked = await parking.find(change.instance, positions);
  const kept = new Set(parked.map(({ letterId }) => letterId));
  await deadLetters.removeParked(events.filter(({ letterId }) => !kept.has(letterId)));
  await parking.recount(change.instance, change);
}
