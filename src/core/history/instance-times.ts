import { isClockEvent } from '../effects/timer.ts';
import { earlier, eventTimeOf } from '../time/event-time.ts';
import type { HistoryEntry } from './history-entry.ts';

/** The event times of an instance: RFC 3339 in UTC, to the millisecond. */
export interface InstanceTimes {
  /** The earliest event time of an applied event, except timer events; null until an event is applied. */
  readonly startedAt: string | null;
  /** The event time of the event that set the status. */
  readonly statusSince: string;
}

/** An instance's event times and status, which determine its event times after the next event. */
export interface TimedStatus extends InstanceTimes {
  readonly status: string;
}

/** The part of a history entry that changes the times of its instance. */
export interface TimedEntry extends Pick<HistoryEntry, 'outcome' | 'status'> {
  readonly event: Pick<HistoryEntry['event'], 'type' | 'source' | 'time'>;
}

/**
 * Computes the times of an instance after an event. The start is the earliest event time, so it does not depend on the
 * order of arrival. Timer events do not move the start, because a timer can be due before the first event.
 *
 * @param before the times before the event; undefined for the first event.
 * @param recordedAt the `at` of the commit that contains the event.
 */
export function timesAfter(
  before: TimedStatus | undefined,
  { event, outcome, status }: TimedEntry,
  recordedAt: string,
): TimedStatus {
  const time = eventTimeOf(event.time, recordedAt);
  const startedAt = before?.startedAt ?? null;
  const countsForStart = outcome === 'applied' && !isClockEvent(event);
  // An instance enters its first status when it starts, even if earlier events were rejected.
  const starts = countsForStart && startedAt === null;
  const stays = before !== undefined && !starts && before.status === status;
  return {
    status,
    startedAt: countsForStart ? earlier(startedAt ?? time, time) : startedAt,
    statusSince: stays ? before.statusSince : time,
  };
}
