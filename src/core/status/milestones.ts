import { latenessAt, latenessSince } from '../deadline/lateness.ts';
import type { Description, Milestone, MilestoneProgress } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';

/** A milestone's state in one instance: see `milestoneViews`. */
export type MilestoneState = 'reached' | 'current' | 'pending' | 'at-risk' | 'late' | 'skipped';

/** A milestone of one instance, as the API and the pages show it. Times are RFC 3339 in UTC. */
export interface MilestoneView {
  readonly id: string;
  readonly label: string;
  readonly state: MilestoneState;
  readonly at: string | null;
  /** When the milestone is expected; null if there is no deadline or while the deadline is paused. */
  readonly expectedBy: string | null;
  readonly atRiskAt: string | null;
  /** True while the deadline is paused. */
  readonly paused?: true;
  /** The delay of a milestone that is late or was reached late: an ISO 8601 duration of elapsed time. */
  readonly lateBy?: string;
}

/**
 * Returns the state of each of a model's milestones at the time `now`, in milliseconds since 1970:
 *
 * - `reached`: the milestone was reached;
 * - `skipped`: it is not reached and no longer expected because the process is done or because the milestone is
 *   optional and a later milestone is reached;
 * - `late`: it is not reached, and its `expectedBy` has passed or the description marks it as late;
 * - `at-risk`: it is not reached, and its `atRiskAt` has passed or the description marks it as at risk;
 * - `current`: it is the first milestone after the furthest milestone reached;
 * - `pending`: it is any other milestone that is still expected.
 */
export function milestoneViews(
  milestones: readonly Milestone[],
  description: Description,
  now: number,
): MilestoneView[] {
  const progress = new Map(description.milestones?.map((m) => [m.id, m]));
  const furthest = milestones.findLastIndex(({ id }) => progress.get(id)?.at !== undefined);
  return milestones.map(({ id, label, optional }, index) => {
    const known = progress.get(id) ?? { id };
    const { at, expectedBy, atRiskAt, paused } = known;
    const overtaken = index < furthest && optional === true;
    const stateOf = (): MilestoneState => {
      if (at !== undefined) return 'reached';
      if (description.done || overtaken) return 'skipped';
      if (known.late || isPast(expectedBy, now)) return 'late';
      if (known.atRisk || isPast(atRiskAt, now)) return 'at-risk';
      return index === furthest + 1 ? 'current' : 'pending';
    };
    const state = stateOf();
    const lateBy = latenessOf(known, state, now);
    return {
      id,
      label,
      state,
      at: at ?? null,
      expectedBy: expectedBy ?? null,
      atRiskAt: atRiskAt ?? null,
      ...(paused && state !== 'skipped' ? { paused } : {}),
      ...(lateBy === undefined ? {} : { lateBy }),
    };
  });
}

const isPast = (moment: string | undefined, now: number) =>
  moment !== undefined && Date.parse(moment) < now;

function latenessOf(
  { at, expectedBy }: MilestoneProgress,
  state: MilestoneState,
  now: number,
): string | undefined {
  if (at !== undefined) return latenessAt(expectedBy, at);
  // Without an expected time, it is unknown how late the milestone is.
  return state === 'late' && expectedBy !== undefined ? latenessSince(expectedBy, now) : undefined;
}

/**
 * Returns an instance's progress, from 0 to 1, rounded down to two decimal places. If the description has no
 * `progress`, returns the share of milestones that are reached; optional milestones count only if they are reached.
 * Returns null if no milestone counts.
 */
export function progressOf(
  milestones: readonly Milestone[],
  description: Description,
): number | null {
  if (description.progress !== undefined) return truncateToHundredths(description.progress);
  const reached = new Set(
    description.milestones?.filter((m) => m.at !== undefined).map((m) => m.id),
  );
  const counted = milestones.filter((m) => !m.optional || reached.has(m.id));
  if (counted.length === 0) return null;
  return truncateToHundredths(counted.filter((m) => reached.has(m.id)).length / counted.length);
}

/**
 * Returns when an instance becomes late (`lateAt`) and when it becomes at risk (`riskAt`) if no more events arrive.
 * `lateAt` is null if no milestone will be late. `riskAt` is null if no milestone will be at risk or if the instance
 * will already be late by then.
 *
 * @param at the time of the description, RFC 3339 in UTC. A milestone that the description marks as late is late as of
 *   this time, or earlier if its `expectedBy` is earlier. A milestone that the description marks as at risk, without an
 *   `atRiskAt`, is at risk as of this time.
 */
export function lateAndRiskTimes(
  milestones: readonly Milestone[],
  description: Description,
  at: string,
): { readonly lateAt: string | null; readonly riskAt: string | null } {
  const beforeAll = Number.NEGATIVE_INFINITY;
  const open = milestoneViews(milestones, description, beforeAll).filter(
    ({ state }) => state !== 'reached' && state !== 'skipped',
  );
  const lateAt = earliest(
    open.flatMap(({ state, expectedBy }) => [
      ...(state === 'late' ? [at] : []),
      ...(expectedBy === null ? [] : [comparable(expectedBy)]),
    ]),
  );
  const riskAt = earliest(
    open.flatMap(({ state, atRiskAt }) => {
      if (state === 'late') return [];
      if (atRiskAt !== null) return [comparable(atRiskAt)];
      return state === 'at-risk' ? [at] : [];
    }),
  );
  const isLateFirst = lateAt !== null && riskAt !== null && lateAt <= riskAt;
  return { lateAt, riskAt: isLateFirst ? null : riskAt };
}

const earliest = (times: readonly string[]) => times.toSorted()[0] ?? null;

/** Converts a time to UTC with milliseconds, so times can be compared as text. */
const comparable = (time: string) => toIso(Date.parse(time));

// Round the product first because 0.29 * 100 is slightly less than 29.
const truncateToHundredths = (share: number) => Math.floor(Number((share * 100).toFixed(6))) / 100;
