import type { Timer } from '../effects/timer.ts';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import type { KeyedDescription } from '../model/description.ts';
import type { DescriptionChanges } from './description-changes.ts';
import type { AgedHighWaterMarks } from './high-water-marks.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { InstanceTimes } from './instance-times.ts';
import type { Seen } from './seen.ts';

/**
 * One conditional write: the folded events and the state after them. The commits of an instance are the source of truth
 * for its state; its status row, its effects, and its counters are derived from them.
 */
export interface Commit extends InstanceKey, InstanceTimes, AgedHighWaterMarks {
  /** The commit's number in the instance's history, starting at 1. */
  readonly version: number;
  /** When the commit was made, RFC 3339 in UTC. Never earlier than the previous commit. */
  readonly at: string;
  /** The model version that made the commit. */
  readonly modelVersion: number;
  readonly progress: number | null;
  /** When the instance becomes late if no more events arrive, RFC 3339 in UTC; null if it will not. */
  readonly lateAt: string | null;
  /**
   * When the instance becomes at risk if no more events arrive, RFC 3339 in UTC; null if it will not become at risk, or
   * if it will already be late by then.
   */
  readonly riskAt: string | null;
  /** The results of the milestones' deadlines: see `deadlineResults`; omitted if there are none. */
  readonly deadlines?: readonly string[];
  readonly description: KeyedDescription;
  readonly entries: readonly HistoryEntry[];
  /** The state after the last entry, as JSON. */
  readonly state: string;
  /** The running timers after the commit, sorted by due time. */
  readonly timers: readonly Timer[];
  /** The changes that the commit makes to the description of the instance. */
  readonly changes: DescriptionChanges;
  /** The events that the instance has seen. Only the value in the latest commit is certain to be complete. */
  readonly seen: Seen;
}

/** An instance after its latest commit: the basis of the next commit. */
export type Head = Omit<Commit, 'entries' | 'changes'>;

/** An instance after some of its events, without the data that only the next commit needs. */
export type PastInstance = Omit<Head, 'seen' | keyof AgedHighWaterMarks>;

/** Returns a head without the data that only the next commit needs. */
export function pastInstanceOf(head: Head): PastInstance {
  const { seen: _, highWaterMarks: _marks, highWaterMarkDays: _days, ...past } = head;
  return past;
}

/** The part of a commit that its tail needs to send events and notifications. */
export interface CommitTail
  extends Omit<Commit, 'entries' | 'state' | 'seen' | keyof AgedHighWaterMarks> {
  readonly entries: readonly Omit<HistoryEntry, 'data' | 'state'>[];
}

/** Returns the instance after a commit: the commit without its events and changes. */
export function headOf(commit: Commit): Head {
  const { entries: _entries, changes: _changes, ...head } = commit;
  return head;
}

/**
 * Returns the part of a commit that its tail needs to send events and notifications. The events' data and states are
 * omitted because they would use too much memory when the tails of many commits are kept.
 */
export function tailOf(commit: Commit): CommitTail {
  const {
    entries,
    state: _,
    seen: _seen,
    highWaterMarks: _marks,
    highWaterMarkDays: _days,
    ...rest
  } = commit;
  const kept = entries.map(({ data: _data, state: _state, ...entry }) => entry);
  return { ...rest, entries: kept };
}

/** The part of a commit that identifies its events, without data, states, and effects. */
export interface CommitSummary extends Pick<Commit, 'version' | 'highWaterMarks' | 'seen'> {
  /** The identities of the events in the commit, in order. */
  readonly events: readonly EventIdentity[];
}

/** The attributes that uniquely identify an event. */
export type EventIdentity = Pick<TrackedEvent, 'source' | 'id'>;

/** Returns the part of a commit that identifies its events. */
export function summaryOf({ version, highWaterMarks, seen, entries }: Commit): CommitSummary {
  const events = entries.map(({ event: { source, id } }) => ({ source, id }));
  return { version, highWaterMarks, seen, events };
}
