import type { InstanceKey } from '../core/event/event.ts';
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
 * computed from the previous count. Otherwise, the queue is counted, and the dead letters of events that a concurrent
 * change has dequeued are removed.
 */
export async function finishQueueChange(
  { parking, deadLetters }: ParkingDependencies,
  change: QueueChange,
  { added, oldest, events }: QueueChangeResult,
): Promise<void> {
  const count = oldest ? (change.before?.count ?? 0) + (added ?? 0) : 0;
  // A row must never show an empty queue while events are parked: later events would overtake them.
  const isPossible = count > 0 === (oldest !== undefined);
  if (change.before && added !== undefined && isPossible) {
    const after = { count, since: oldest?.at };
    if ((await parking.finish(change, after)) === 'finished') return;
  }
  await removeLettersOfDequeued({ parking, deadLetters }, change.instance, events);
  await parking.recount(change.instance, change);
}

/** Removes the dead letters of the events that are not in the queue. */
async function removeLettersOfDequeued(
  { parking, deadLetters }: ParkingDependencies,
  instance: InstanceKey,
  events: QueueChangeResult['events'],
): Promise<void> {
  const parkedAmong = (some: QueueChangeResult['events']) =>
    parking.find(
      instance,
      some.map(({ position }) => position),
    );
  // A concurrent change may have dequeued an event and removed its dead letter before this change wrote the dead
  // letter.
  const kept = new Set((await parkedAmong(events)).map(({ letterId }) => letterId));
  const dequeued = events.filter(({ letterId }) => !kept.has(letterId));
  await deadLetters.removeParked(dequeued);
  // A slow dispatcher may have parked a dequeued event again before its dead letter was removed. The event has already
  // been processed and is therefore dequeued again. The dead letter of such an event is removed last: a dispatcher that
  // writes the dead letter even later finds that the event is not in the queue and removes the dead letter itself.
  const again = await parkedAmong(dequeued);
  await parking.remove(
    instance,
    again.map(({ position }) => position),
  );
  await deadLetters.removeParked(again);
}
