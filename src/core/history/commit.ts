import type { OutgoingEffect } from '../effects/effect.ts';
import type { Timer } from '../effects/timer.ts';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import type { KeyedDescription } from '../model/description.ts';
import type { Model } from '../model/model.ts';
import { deadlineResults } from '../status/deadline-results.ts';
import { lateAtOf, progressOf, riskAtOf } from '../status/milestones.ts';
import { compareDescriptions, type DescriptionChanges } from './description-changes.ts';
import type { FoldStep } from './fold.ts';
import { type AgedHighWaterMarks, raiseHighWaterMarks } from './high-water-marks.ts';
import { type InstanceTimes, type TimedStatus, timesAfter } from './instance-times.ts';
import { addFingerprints, emptySeen, fingerprintOf, type Seen } from './seen.ts';
import type { Snapshot } from './snapshot.ts';

/** The position of an event in the stream. */
export interface StreamPosition {
  readonly shard: string;
  /**
   * The sequence number; for an event in an aggregated record, followed by its place in the record: see `sequence.ts`.
   */
  readonly sequence: string;
}

/** An event in the history of an instance, with its outcome and the state after it. */
export interface HistoryEntry {
  readonly event: Omit<TrackedEvent, 'data'>;
  /** The event's data, as JSON. */
  readonly data: string;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  /** The state after the event, as JSON. */
  readonly state: string;
  /** The events and notifications that the instance sends because of the event. */
  readonly effects: readonly OutgoingEffect[];
}

/**
 * One conditional write: the folded events and the state after them. The commits of an instance are the
 * source of truth; everything else is derived from them.
 */
export interface Commit extends InstanceKey, InstanceTimes, AgedHighWaterMarks {
  /** The number of the commit in the history of the instance, starting at 1. */
  readonly version: number;
  /** When the commit was made, RFC 3339 in UTC. Never earlier than the previous commit. */
  readonly at: string;
  /** The version of the model that made the commit. */
  readonly modelVersion: number;
  readonly progress: number | null;
  /** When the next milestone becomes late if no further event arrives, RFC 3339 in UTC; null if none will. */
  readonly lateAt: string | null;
  /**
   * When the instance becomes at risk if no further event arrives, RFC 3339 in UTC; null if it will not, or if it will
   * be late by then.
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
  /** The events that the instance has seen. May be incomplete unless this is the latest commit. */
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

/** The part of a commit that its tail is derived from. */
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
 * Returns the part of a commit that its tail needs. The data and states of events are omitted, because they would use
 * too much memory when the tails of many commits are kept.
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

/** The part of a commit that identifies its events: no data, states or effects. */
export interface CommitSummary extends Pick<Commit, 'version' | 'highWaterMarks' | 'seen'> {
  /** The identities of the events in the commit, in order. */
  readonly events: readonly EventIdentity[];
}

/** The attributes that identify an event permanently. */
export type EventIdentity = Pick<TrackedEvent, 'source' | 'id'>;

/** Returns the part of a commit that identifies its events. */
export function summaryOf({
  version,
  highWaterMarks: marks,
  seen,
  entries,
}: Commit): CommitSummary {
  const events = entries.map(({ event: { source, id } }) => ({ source, id }));
  return { version, highWaterMarks: marks, seen, events };
}

/** An event with its outcome, the snapshot after it and the position of its record. */
export interface FoldedEvent extends FoldStep {
  readonly position: StreamPosition;
}

/** At least one folded event: the content of a commit. */
export type FoldedEvents = readonly [FoldedEvent, ...FoldedEvent[]];

/** True if at least one event was folded, so there is something to commit. */
export const isNonEmpty = (steps: readonly FoldedEvent[]): steps is FoldedEvents =>
  steps.length > 0;

/** The metadata of a commit: its time, the version of the model, and the progress and lateness of the instance. */
type CommitMetadata = Pick<
  Commit,
  'at' | 'modelVersion' | 'progress' | 'lateAt' | 'riskAt' | 'deadlines'
>;

/** Computes the metadata of a commit. `at` is RFC 3339 in UTC. */
export const commitMetadata = (
  { milestones, version }: Pick<Model, 'milestones' | 'version'>,
  description: KeyedDescription,
  at: string,
): CommitMetadata => ({
  at,
  modelVersion: version,
  progress: progressOf(milestones, description),
  lateAt: lateAtOf(milestones, description, at),
  riskAt: riskAtOf(milestones, description, at),
  ...nonEmpty(deadlineResults(milestones, description)),
});

const nonEmpty = (deadlines: readonly string[]) => (deadlines.length > 0 ? { deadlines } : {});

/** Returns the event times and the status of an instance. */
export const timedStatusOf = ({
  startedAt,
  statusSince,
  description,
}: Pick<Head, 'startedAt' | 'statusSince' | 'description'>): TimedStatus => ({
  startedAt,
  statusSince,
  status: description.status,
});

/**
 * Builds the next commit of an instance from its head and the events folded since then.
 *
 * @param times the times of the instance after the commit. Default: computed from the head and the events.
 */
export function nextCommit(
  key: InstanceKey,
  previous: Head | undefined,
  steps: FoldedEvents,
  made: CommitMetadata,
  times?: InstanceTimes,
): Commit {
  const after: Snapshot = steps.at(-1)!.after;
  const at = previous && previous.at > made.at ? previous.at : made.at;
  const version = (previous?.version ?? 0) + 1;
  const entries = steps.map(
    ({ event, data, outcome, reason, effects, after }): HistoryEntry => ({
      event,
      data,
      outcome,
      reason,
      status: after.description.status,
      state: after.json,
      effects,
    }),
  );
  const { startedAt, statusSince } = times ?? timesAfterAll(previous, entries, at);
  // The first status of an instance has no previous status, even if events were rejected before it.
  const before = previous?.startedAt === null ? undefined : previous;
  return {
    model: key.model,
    transaction: key.transaction,
    version,
    at,
    startedAt,
    statusSince,
    modelVersion: made.modelVersion,
    progress: made.progress,
    lateAt: made.lateAt,
    riskAt: made.riskAt,
    ...(made.deadlines && { deadlines: made.deadlines }),
    description: after.description,
    entries,
    state: after.json,
    timers: after.timers,
    changes: startedAt === null ? {} : compareDescriptions(before?.description, after.description),
    seen: addFingerprints(
      previous?.seen ?? emptySeen,
      steps.map((step) => fingerprintOf(step.event)),
      version,
    ),
    ...raiseHighWaterMarks(
      previous,
      steps.map(({ position }) => position),
      at,
    ),
  };
}

function timesAfterAll(
  previous: Head | undefined,
  entries: readonly HistoryEntry[],
  at: string,
): InstanceTimes {
  let times = previous && timedStatusOf(previous);
  for (const entry of entries) times = timesAfter(times, entry, at);
  return times!;
}
