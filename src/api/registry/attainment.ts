import { parseDeadlineResult, weekOf } from '../../core/status/deadline-results.ts';
import { instancesOfTotal } from '../counts/instances-of-total.ts';

/** The deadlines of a week, counted by result, and the share that was met. */
export interface Attainment {
  /** The number of deadlines whose milestone was reached on time. */
  readonly met: number;
  /**
   * The number of deadlines whose milestone was reached late or, once the week has ended, not at all.
   */
  readonly breached: number;
  /** The number of deadlines whose milestone has not been reached yet. Only a week that has not ended has open deadlines. */
  readonly open: number;
  /** `met` divided by the sum of `met` and `breached`, rounded down to four decimal places; null if both are 0. */
  readonly attainment: number | null;
}

/** The attainment of one milestone in a week. */
export interface MilestoneAttainment extends Attainment {
  readonly id: string;
}

/**
 * Computes each milestone's attainment in a week from the counters of deadlines.
 *
 * @param counts the number of deadlines with each result: see `deadlineResults`.
 * @param week the Monday of the week.
 * @param now the current time, in milliseconds since 1970. The open deadlines of earlier weeks are breached.
 */
export function attainmentOf(
  counts: ReadonlyMap<string, number>,
  week: string,
  now: number,
): MilestoneAttainment[] {
  const results = [...counts].map(([text, total]) => ({
    ...parseDeadlineResult(text),
    total: instancesOfTotal(total),
  }));
  const inWeek = Map.groupBy(
    results.filter((result) => result.week === week && result.total > 0),
    ({ milestone }) => milestone,
  );
  return [...inWeek].map(([id, each]) => {
    const count = (outcome: string) =>
      each.find((result) => result.outcome === outcome)?.total ?? 0;
    const open = count('open');
    const results = { met: count('met'), breached: count('breached'), open };
    const hasEnded = week < weekOf(now);
    return {
      id,
      ...withShare(hasEnded ? { ...results, breached: results.breached + open, open: 0 } : results),
    };
  });
}

/** Computes the attainment over the deadlines of all milestones. */
export const attainmentOfAll = (milestones: readonly MilestoneAttainment[]): Attainment =>
  withShare({
    met: sum(milestones.map(({ met }) => met)),
    breached: sum(milestones.map(({ breached }) => breached)),
    open: sum(milestones.map(({ open }) => open)),
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function withShare(results: Omit<Attainment, 'attainment'>): Attainment {
  const { met, breached } = results;
  // Round down so that 1 always means that no deadline was breached.
  const share = Math.floor((met * 10_000) / (met + breached)) / 10_000;
  return { ...results, attainment: met + breached === 0 ? null : share };
}
