import type { Description, Milestone } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';

/** How a milestone stands: see `milestoneViews`. */
export type MilestoneState = 'reached' | 'current' | 'pending' | 'late' | 'skipped';

/** A milestone as people see it. */
export interface MilestoneView {
  readonly id: string;
  readonly label: string;
  readonly state: MilestoneState;
  readonly at: string | null;
  readonly expectedBy: string | null;
}

/**
 * How each of a model's milestones stands at a moment (milliseconds since 1970):
 *
 * - `reached`: it has a time;
 * - `skipped`: it has none and will not be reached any more: the process is
 *   done, or a later milestone is reached and this one is optional;
 * - `late`: it is not reached and its expected time is over;
 * - `current`: the first one after the furthest that is reached;
 * - `pending`: any other.
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
 * How far along a process is, 0 to 1, cut to two decimals: what the model says,
 * else the share of its milestones that are reached, optional ones counted only
 * when they are; null where there are none.
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
 * From when on an instance is late, if nothing more happens to it: the first moment at which one of
 * its milestones is; null where none will ever be.
 *
 * @param at when it was described so, RFC 3339 in UTC: what is late then, is so from then on.
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
      // However it was written, so that moments compare as texts.
      const expected = expectedBy === null ? [] : [toIso(Date.parse(expectedBy))];
      return state === 'late' ? [at, ...expected] : expected;
    },
  );
  return moments.toSorted()[0] ?? null;
}

// Through a rounded number first, because 0.29 * 100 is a little under 29.
const truncateToHundredths = (share: number) => Math.floor(Number((share * 100).toFixed(6))) / 100;
