import type { Description, Milestone } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';

/** The state of a milestone: see `milestoneViews`. */
export type MilestoneState = 'reached' | 'current' | 'pending' | 'late' | 'skipped';

/** The state of a milestone in one instance, as the API and the pages show it. */
export interface MilestoneView {
  readonly id: string;
  readonly label: string;
  readonly state: MilestoneState;
  readonly at: string | null;
  readonly expectedBy: string | null;
}

/**
 * Returns the state of each of a model's milestones at the time `now`, in milliseconds since 1970:
 *
 * - `reached`: the milestone has a time;
 * - `skipped`: it has no time and is no longer expected, because the process is done, or because the milestone is
 *   optional and a later milestone is reached;
 * - `late`: it is not reached and its expected time has passed;
 * - `current`: it is the first milestone after the furthest milestone reached;
 * - `pending`: none of these.
 */
export function milestoneViews(
  milestones: readonly Milestone[],
  description: Description,
  now: number,
): MilestoneView[] {
  const progress = new Map(description.milestones?.map((m) => [m.id, m]));
  const furthest = milestones.findLastIndex(({ id }) => progress.get(id)?.at !== undefined);
  return milestones.map(({ id, label, optional }, index) => {
    const { at, expectedBy, late } = progress.get(id) ?? {};
    const overtaken = index < furthest && optional === true;
    const state = (): MilestoneState => {
      if (at !== undefined) return 'reached';
      if (description.done || overtaken) return 'skipped';
      if (late || (expectedBy !== undefined && Date.parse(expectedBy) < now)) return 'late';
      return index === furthest + 1 ? 'current' : 'pending';
    };
    return { id, label, state: state(), at: at ?? null, expectedBy: expectedBy ?? null };
  });
}

/**
 * The progress of a process, from 0 to 1, rounded down to two decimals. It is the value that the model returns. If
 * the model returns no progress, it is the share of milestones reached, where optional milestones count only if they
 * are reached. Null if no milestone counts.
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
 * Returns when an instance becomes late if no further event arrives: when its first milestone becomes late; null if
 * none will be late.
 *
 * @param at the time of the description, RFC 3339 in UTC. A milestone that the description marks as late is late from
 *   this time on.
 */
export function lateAtOf(
  milestones: readonly Milestone[],
  description: Description,
  at: string,
): string | null {
  const beforeAll = Number.NEGATIVE_INFINITY;
  const moments = milestoneViews(milestones, description, beforeAll).flatMap(
    ({ state, expectedBy }) => {
      if (state === 'reached' || state === 'skipped') return [];
      // All times have the same format, so that they can be compared as text.
      const expected = expectedBy === null ? [] : [toIso(Date.parse(expectedBy))];
      return state === 'late' ? [at, ...expected] : expected;
    },
  );
  return moments.toSorted()[0] ?? null;
}

// The product is rounded first, because 0.29 * 100 is slightly less than 29.
const truncateToHundredths = (share: number) => Math.floor(Number((share * 100).toFixed(6))) / 100;
