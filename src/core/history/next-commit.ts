import type { InstanceKey } from '../event/event.ts';
import type { KeyedDescription } from '../model/description.ts';
import type { Model } from '../model/model.ts';
import { deadlineResults } from '../status/deadline-results.ts';
import { lateAndRiskTimes, progressOf } from '../status/milestones.ts';
import type { Commit, Head } from './commit.ts';
import { compareDescriptions } from './description-changes.ts';
import type { FoldStep } from './fold.ts';
import { raiseHighWaterMarks } from './high-water-marks.ts';
import type { HistoryEntry } from './history-entry.ts';
import { type InstanceTimes, type TimedStatus, timesAfter } from './instance-times.ts';
import { addFingerprints, emptySeen, fingerprintOf } from './seen.ts';
import type { StreamPosition } from './sequence.ts';
import type { Snapshot } from './snapshot.ts';

/** An event with its outcome, the snapshot after it, and its record's position. */
export interface FoldedEvent extends FoldStep {
  readonly position: StreamPosition;
}

/** At least one folded event: the content of a commit. */
export type FoldedEvents = readonly [FoldedEvent, ...FoldedEvent[]];

/** Returns true if at least one event was folded, so there is something to commit. */
export const isNonEmpty = (steps: readonly FoldedEvent[]): steps is FoldedEvents =>
  steps.length > 0;

/** The metadata of a commit: its time, the model's version, and the instance's progress and lateness. */
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
  ...lateAndRiskTimes(milestones, description, at),
  ...nonEmpty(deadlineResults(milestones, description)),
});

const nonEmpty = (deadlines: readonly string[]) => (deadlines.length > 0 ? { deadlines } : {});

/** Returns an instance's event times and status. */
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
  { model, transaction }: InstanceKey,
  previous: Head | undefined,
  steps: FoldedEvents,
  metadata: CommitMetadata,
  times?: InstanceTimes,
): Commit {
  const after: Snapshot = steps.at(-1)!.after;
  const at = previous && previous.at > metadata.at ? previous.at : metadata.at;
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
    model,
    transaction,
    version,
    ...metadata,
    at,
    startedAt,
    statusSince,
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
