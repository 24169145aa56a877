import type { Description, Milestone } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';
import { milestoneViews } from './milestones.ts';
import type { StepDurations } from './step-durations.ts';
import { milestoneStep, reachedMilestones } from './step-times.ts';

/** The minimum number of finished instances for an estimate. */
const minimumSamples = 20;
/** The minimum number of finished instances that took longer than this instance has taken so far. */
const minimumRemainingSamples = 5;

/**
 * An estimate of when a milestone will be reached, based on other instances of the model. Times are RFC 3339 in UTC.
 */
export interface Eta {
  readonly id: string;
  /** The median: half of the other instances were at least this fast. */
  readonly p50: string;
  /** The 90th percentile: 90% of the other instances were at least this fast. */
  readonly p90: string;
}

/**
 * Estimates when the remaining milestones will be reached, from the durations of finished instances. Durations are
 * measured from the latest milestone that this instance has reached or, if it has reached none, from the start.
 * Finished instances that took no longer than this instance has taken so far are ignored. Milestones with too few
 * samples are omitted.
 *
 * @param startedAt when the instance started, RFC 3339 in UTC; null if it has not started.
 * @param now the current time, in milliseconds since 1970.
 */
export function etaOf(
  milestones: readonly Milestone[],
  description: Description,
  startedAt: string | null,
  stepDurations: StepDurations,
  now: number,
): Eta[] {
  if (description.done || startedAt === null) return [];
  const last = reachedMilestones(description).at(-1);
  const since = last?.at ?? Date.parse(startedAt);
  return milestoneViews(milestones, description, now).flatMap(({ id, state }) => {
    if (state === 'reached' || state === 'skipped') return [];
    const step = milestoneStep(last?.id ?? null, id);
    const known =
      stepDurations.estimate(step, minimumSamples) &&
      stepDurations.estimate(step, minimumRemainingSamples, now - since);
    return known ? { id, p50: toIso(since + known.p50), p90: toIso(since + known.p90) } : [];
  });
}
