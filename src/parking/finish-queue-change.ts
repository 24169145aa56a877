import type { ParkingDependencies } from './parking-dependencies.ts';
import type { ParkedEvent, QueueChange } from './parking-store.ts';

export interface QueueChangeResult {
  /** The number of events that were parked; negative if events were dequeued; undefined if the number is unknown. */
  readonly added: number | undefined;
  /** The oldest event in the queue after the change; undefined if the queue is empty. */
  readonly oldest: Pick<ParkedEvent, 'at'> | undefined;
  /** The events that were parked or dequeued. */
  readonly events: readonly Pick<ParkedEvent, 'position' | 'letterId' | 'hasLargeLetter'>[];
}

/**
 * Ends a queue change. If no concurrent change interfered and the number of added events is known, the new count is
 * computed from the previous count. Otherwise, the queue is counted, and the letters of events that a concurrent change
 * dequeued are removed.
 */
export async function finishQueueChange(
  { parking, deadLetters }: ParkingDependencies,
  change: QueueChange,
  { added, oldest, events }: QueueChangeResult,
): Promise<void> {
  const count = oldest ? (change.before?.count ?? 0) + (added ?? 0) : 0;
  // A row must never show an empty queue while events are parked, because later events would overtake them.
  const isPossible = count > 0 === (oldest !== undefined);
  if (change.before && added !== undefined && isPossible) {
    const after = { count, since: oldest?.at };
    if ((await parking.finish(change, after)) === 'finished') return;
  }
  // A concurrent change may have dequeued an event and removed its letter before this change wrote the letter.
  const positions = events.map(({ position }) => position);
  const parked = await parking.find(change.instance, positions);
  const kept = new Set(parked.map(({ letterId }) => letterId));
  await deadLetters.removeParked(events.filter(({ letterId }) => !kept.has(letterId)));
  await parking.recount(change.instance, change);
}
