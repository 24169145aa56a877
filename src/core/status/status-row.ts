import type { InstanceKey } from '../event/event.ts';
import type { Head, PastInstance } from '../history/commit.ts';
import type { InstanceTimes } from '../history/instance-times.ts';
import type { MilestoneProgress } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';
import { parseDeadlineResult } from './deadline-results.ts';

/**
 * The fields of an instance that lists show. `statusRow` derives these fields from a commit. Lists omit instances that
 * have not started.
 */
export interface StatusRow extends InstanceKey, InstanceTimes {
  readonly version: number;
  readonly modelVersion: number;
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  /** When the latest commit was made, RFC 3339 in UTC. */
  readonly updatedAt: string;
  /** When the next timer is due, RFC 3339 in UTC; null if no timer is running. */
  readonly dueAt: string | null;
  /** When the instance becomes late, RFC 3339 in UTC; null if it will not. */
  readonly lateAt: string | null;
  /** The id of the milestone that becomes late at `lateAt`; null if the milestone is unknown. */
  readonly lateMilestone: string | null;
  /**
   * When the instance becomes at risk, RFC 3339 in UTC; null if it will not become at risk, or if it will already be
   * late by then.
   */
  readonly riskAt: string | null;
  /** The id of the milestone that becomes at risk at `riskAt`; null if the milestone is unknown. */
  readonly riskMilestone: string | null;
  /** The results of the milestones' deadlines: see `deadlineResults`. */
  readonly deadlines: readonly string[];
  /** The business keys: see `keysOf`. */
  readonly keys: readonly string[];
  /** The number of parked events. */
  readonly parked: number;
}

/** The status of an instance whose first event is parked: its model has not described a state yet. */
export const parkedStatus = 'Parked';

/**
 * Returns true if a commit changes the running timers or a field that lists filter or sort on. Otherwise, the row is
 * not written, and lists read the newer version from the commits.
 */
export function changesStatusRow(before: Head | undefined, after: Head): boolean {
  return (
    !before ||
    before.startedAt !== after.startedAt ||
    before.statusSince !== after.statusSince ||
    before.description.status !== after.description.status ||
    (before.description.done ?? false) !== (after.description.done ?? false) ||
    before.progress !== after.progress ||
    JSON.stringify(alertsOf(before)) !== JSON.stringify(alertsOf(after)) ||
    JSON.stringify(before.deadlines) !== JSON.stringify(after.deadlines) ||
    JSON.stringify(before.description.keys) !== JSON.stringify(after.description.keys) ||
    JSON.stringify(before.timers) !== JSON.stringify(after.timers)
  );
}

/** Derives the status row from a commit. */
export function statusRow(commit: PastInstance, parked = 0): StatusRow {
  return {
    model: commit.model,
    transaction: commit.transaction,
    version: commit.version,
    modelVersion: commit.modelVersion,
    status: commit.description.status,
    done: commit.description.done ?? false,
    progress: commit.progress,
    startedAt: commit.startedAt,
    updatedAt: commit.at,
    statusSince: commit.statusSince,
    dueAt: commit.timers[0]?.dueAt ?? null,
    ...alertsOf(commit),
    deadlines: commit.deadlines ?? [],
    keys: commit.startedAt === null ? [] : (commit.description.keys ?? []),
    parked,
  };
}

/**
 * Builds the status row of an instance that has parked events but no commit.
 *
 * @param since when the oldest parked event arrived, RFC 3339 in UTC.
 */
export const parkedRow = (
  { model, transaction }: InstanceKey,
  since: string,
  parked: number,
): StatusRow => ({
  model,
  transaction,
  version: 0,
  modelVersion: 0,
  status: parkedStatus,
  done: false,
  progress: null,
  startedAt: since,
  updatedAt: since,
  statusSince: since,
  dueAt: null,
  lateAt: null,
  lateMilestone: null,
  riskAt: null,
  riskMilestone: null,
  deadlines: [],
  keys: [],
  parked,
});

type Alerts = Pick<StatusRow, 'lateAt' | 'lateMilestone' | 'riskAt' | 'riskMilestone'>;

function alertsOf({ lateAt, riskAt, deadlines, description }: PastInstance): Alerts {
  // Only the results of deadlines show that a milestone is skipped, because a commit does not record which milestones
  // are optional. Commits without results, and older commits, omit `deadlines`.
  const results = deadlines?.map(parseDeadlineResult).filter(({ outcome }) => outcome === 'open');
  const expected = results && new Set(results.map(({ milestone }) => milestone));
  const isOpen = ({ id, at, expectedBy }: MilestoneProgress) =>
    at === undefined && (expectedBy === undefined || !expected || expected.has(id));
  const open = description.milestones?.filter(isOpen) ?? [];
  const isAt = (time: string | undefined, moment: string | null) =>
    time !== undefined && toIso(Date.parse(time)) === moment;
  const late = open.find(({ expectedBy }) => isAt(expectedBy, lateAt));
  const atRisk = open.find(({ atRiskAt }) => isAt(atRiskAt, riskAt));
  return { lateAt, lateMilestone: late?.id ?? null, riskAt, riskMilestone: atRisk?.id ?? null };
}
