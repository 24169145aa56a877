import type { Description, Milestone } from '../model/description.ts';
import { toIso } from '../time/timestamp.ts';
import { milestoneViews } from './milestones.ts';
import type { StepDurations } from './step-durations.ts';
import { milestoneStep, reachedMilestones } from './step-times.ts';

/** By how many finished instances a time is told. */
const minimumSamples = 20;
/** And by how many of those that took at least as long as the instance has by now. */
const minimumRemainingSamples = 5;

/** When a milestone is to be expected, by what others of its model took: RFC 3339 in UTC. */
export interface Eta {
  readonly id: string;
  /** Half of them had reached it by then. */
  readonly p50: string;
  /** Nine of ten had. */
  readonly p90: string;
}

/**
 * When the milestones to come are to be expected: counted from the last one that was reached, or else
 * from the start, as long as it took the instances that are finished. Those that were faster than this
 * one can be any more do not count. A milestone of which too little is known is left out.
 *
 * @param startedAt when the instance started, RFC 3339 in UTC; null where it has not.
 * @param now milliseconds since 1970.
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
