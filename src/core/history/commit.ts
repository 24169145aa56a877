import type { OutgoingEffect } from '../effects/effect.ts';
import type { Timer } from '../effects/timer.ts';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import type { KeyedDescription } from '../model/description.ts';
import type { Model } from '../model/model.ts';
import { lateAtOf, progressOf } from '../status/milestones.ts';
import { compareDescriptions, type DescriptionChanges } from './description-changes.ts';
import type { FoldStep } from './fold.ts';
import { type AgedHighWaterMarks, raiseHighWaterMarks } from './high-water-marks.ts';
import { addFingerprints, emptySeen, fingerprintOf, type Seen } from './seen.ts';
import type { Snapshot } from './snapshot.ts';

/** Where a record stood on the stream. */
export interface StreamPosition {
  readonly shard: string;
  /** Its sequence number, and which event of the record: see `sequence.ts`. */
  readonly sequence: string;
}

/** One event as the history keeps it, with what became of it. */
export interface HistoryEntry {
  readonly event: Omit<TrackedEvent, 'data'>;
  /** The event's data, as JSON. */
  readonly data: string;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  /** The state after it, as JSON. */
  readonly state: string;
  /** What it has the instance send. */
  readonly effects: readonly OutgoingEffect[];
}

/**
 * One conditional write: the events that were folded and the state after them.
 * The commits of an instance are the truth; everything else follows from them.
 */
export interface Commit extends InstanceKey, AgedHighWaterMarks {
  /** 1 for the instance's first commit, and one more for each. */
  readonly version: number;
  /** When it was made, RFC 3339 in UTC; never before the commit in front of it. */
  readonly at: string;
  /** When the first commit that applied an event was made; null while every event was rejected. */
  readonly startedAt: string | null;
  readonly statusSince: string;
  /** The version of the model that made it. */
  readonly modelVersion: number;
  readonly progress: number | null;
  /** From when on one of its milestones is late, RFC 3339 in UTC; null where none will be. */
  readonly lateAt: string | null;
  readonly description: KeyedDescription;
  readonly entries: readonly HistoryEntry[];
  /** The state after the last entry, as JSON. */
  readonly state: string;
  /** The timers that run after it, by when they are due. */
  readonly timers: readonly Timer[];
  /** What it changed in how people see the instance. */
  readonly changes: DescriptionChanges;
  /** Of a commit that is not the newest one, perhaps not all of it. */
  readonly seen: Seen;
}

/** An instance as a commit left it: what the next one is made from. */
export type Head = Omit<Commit, 'entries' | 'changes'>;

/** What a commit leads to besides the state after it: its tail follows from this alone. */
export interface CommitTail
  extends Omit<Commit, 'entries' | 'state' | 'seen' | keyof AgedHighWaterMarks> {
  readonly entries: readonly Omit<HistoryEntry, 'data' | 'state'>[];
}

/** A commit without what may be large in it: the data of its events, and the states between them. */
export function headOf(commit: Commit): Head {
  const { entries: _entries, changes: _changes, ...head } = commit;
  return head;
}

/** A commit without data and states: of many commits at once they would take much memory. */
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

/** The part of a commit that identifies its events: no data, no states, no effects. */
export interface CommitSummary extends Pick<Commit, 'version' | 'highWaterMarks' | 'seen'> {
  /** The names of the events in the commit, in order. */
  readonly events: readonly EventIdentity[];
}

/** The attributes that identify an event for ever. */
export type EventIdentity = Pick<TrackedEvent, 'source' | 'id'>;

/** Reduces a commit to its summary. */
export function summaryOf({
  version,
  highWaterMarks: marks,
  seen,
  entries,
}: Commit): CommitSummary {
  const events = entries.map(({ event: { source, id } }) => ({ source, id }));
  return { version, highWaterMarks: marks, seen, events };
}

/** A step together with where its record stood. */
export interface FoldedEvent extends FoldStep {
  readonly position: StreamPosition;
}

/** One step or more: what a commit is made of. */
export type FoldedEvents = readonly [FoldedEvent, ...FoldedEvent[]];

/** Whether there is anything to commit. */
export const isNonEmpty = (steps: readonly FoldedEvent[]): steps is FoldedEvents =>
  steps.length > 0;

/** By what a commit is made: when, by which version of a model, and what follows from its milestones. */
type CommitMetadata = Pick<Commit, 'at' | 'modelVersion' | 'progress' | 'lateAt'>;

/** What a model says of a commit that it makes at a time, RFC 3339 in UTC. */
export const commitMetadata = (
  { milestones, version }: Pick<Model, 'milestones' | 'version'>,
  description: KeyedDescription,
  at: string,
): CommitMetadata => ({
  at,
  modelVersion: version,
  progress: progressOf(milestones, description),
  lateAt: lateAtOf(milestones, description, at),
});

/** The next commit of an instance, made from the one before it and the steps since. */
export function nextCommit(
  key: InstanceKey,
  previous: Head | undefined,
  steps: FoldedEvents,
  made: CommitMetadata,
): Commit {
  const after: Snapshot = steps.at(-1)!.after;
  const at = previous && previous.at > made.at ? previous.at : made.at;
  const version = (previous?.version ?? 0) + 1;
  const startedAt = previous?.startedAt ?? (after.isStarted ? at : null);
  // An instance enters its first status when it starts, whatever was rejected before.
  const starts = startedAt !== null && previous?.startedAt === null;
  const before = starts ? undefined : previous;
  const sameStatus = before?.description.status === after.description.status;
  return {
    model: key.model,
    transaction: key.transaction,
    version,
    at,
    startedAt,
    statusSince: before && sameStatus ? before.statusSince : at,
    modelVersion: made.modelVersion,
    progress: made.progress,
    lateAt: made.lateAt,
    description: after.description,
    entries: steps.map(({ event, data, outcome, reason, effects, after }) => ({
      event,
      data,
      outcome,
      reason,
      status: after.description.status,
      state: after.json,
      effects,
    })),
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
