import type { Description, Milestone } from '../model/description.ts';
import { milestoneViews } from './milestones.ts';

/**
 * A deadline's outcome: `met` if the milestone was reached on time, `breached` if it was reached later, and `open` if
 * the milestone is still expected.
 */
export type DeadlineOutcome = 'met' | 'breached' | 'open';

/** The result of one milestone's deadline, which counts toward SLA attainment. */
export interface DeadlineResult {
  /** The Monday of the week that contains the deadline, in UTC, such as `2026-11-23`. */
  readonly week: string;
  readonly outcome: DeadlineOutcome;
  /** The milestone's id. */
  readonly milestone: string;
}

const day = 86_400_000;

/** Returns the Monday of the week that contains a time, in UTC, such as `2026-11-23`. */
export function weekOf(time: number): string {
  const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - daysSinceMonday * day).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Returns the results of all of an instance's deadlines, as strings: see `parseDeadlineResult`. The results depend only
 * on the events, not on the current time, so a commit can contain them. When an open deadline passes, readers must
 * count it as breached because no further commit records the change. A milestone has no result if it has no deadline,
 * if its deadline is paused, or if it is skipped.
 */
export function deadlineResults(
  milestones: readonly Milestone[],
  description: Description,
): string[] {
  const beforeAll = Number.NEGATIVE_INFINITY;
  return milestoneViews(milestones, description, beforeAll).flatMap(
    ({ id, state, expectedBy, lateBy }) => {
      if (expectedBy === null || state === 'skipped') return [];
      const reached: DeadlineOutcome = lateBy === undefined ? 'met' : 'breached';
      const outcome = state === 'reached' ? reached : 'open';
      return [`${weekOf(Date.parse(expectedBy))}/${outcome}/${id}`];
    },
  );
}

/** Parses a result, such as `2026-11-23/met/answered`. */
export function parseDeadlineResult(text: string): DeadlineResult {
  const [week, outcome] = text.split('/', 2) as [string, DeadlineOutcome];
  return { week, outcome, milestone: text.slice(week.length + outcome.length + 2) };
}
