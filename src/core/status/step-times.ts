import type { Commit, Head } from '../history/commit.ts';
import { type TimedEntry, timesAfter } from '../history/instance-times.ts';
import { timedStatusOf } from '../history/next-commit.ts';
import type { Description } from '../model/description.ts';
import { withRecordedMilestones } from './recorded-milestones.ts';

/** A step's duration in one instance, in milliseconds. */
export interface StepTime {
  readonly step: string;
  readonly ms: number;
}

/**
 * The maximum number of reached milestones for which every pair of milestones is a step. With more milestones, only
 * pairs of consecutive milestones are steps.
 */
const maximumPairedMilestones = 32;

/** Returns the name of the step that ends when an instance leaves a status. */
export const statusStep = (status: string) => JSON.stringify([status]);

/** Returns the name of the step from one milestone to another, or from the start of the instance if `from` is null. */
export const milestoneStep = (from: string | null, to: string) => JSON.stringify([from, to]);

/** A milestone and when it was reached, in milliseconds since 1970. */
export interface ReachedMilestone {
  readonly id: string;
  readonly at: number;
}

/** Returns the reached milestones, sorted by time. */
export function reachedMilestones({ milestones = [] }: Description): ReachedMilestone[] {
  const reached = milestones.flatMap(({ id, at }) =>
    at === undefined ? [] : { id, at: Date.parse(at) },
  );
  return reached.toSorted((a, b) => a.at - b.at);
}

/** The part of a commit that determines which steps it completes. */
interface CommittedSteps extends Pick<Commit, 'at' | 'startedAt' | 'changes' | 'description'> {
  readonly entries: readonly TimedEntry[];
}

/**
 * Returns the durations, in event time, of the steps that a commit completes. The time in each status that the instance
 * leaves is a step. If the process ends, the times between its start and its reached milestones are also steps: see
 * `maximumPairedMilestones`. A step that ends before it starts, according to the event times, is omitted.
 */
export function stepTimes(
  before: Pick<Head, 'description' | 'startedAt' | 'statusSince'> | undefined,
  commit: CommittedSteps,
): StepTime[] {
  const steps = commit.changes.done
    ? [...statusTimes(before, commit), ...milestoneTimes(commit)]
    : statusTimes(before, commit);
  return steps.filter(({ ms }) => ms >= 0);
}

function statusTimes(
  before: Parameters<typeof stepTimes>[0],
  { entries, at }: CommittedSteps,
): StepTime[] {
  const steps: StepTime[] = [];
  let times = before && timedStatusOf(before);
  for (const entry of entries) {
    const next = timesAfter(times, entry, at);
    if (times && times.startedAt !== null && times.status !== next.status) {
      const ms = Date.parse(next.statusSince) - Date.parse(times.statusSince);
      steps.push({ step: statusStep(times.status), ms });
    }
    times = next;
  }
  return steps;
}

function milestoneTimes({ description, startedAt, at }: CommittedSteps): StepTime[] {
  if (startedAt === null) return [];
  const reached = reachedMilestones(withRecordedMilestones(description, at));
  const places = [{ id: null, at: Date.parse(startedAt) }, ...reached];
  const paired = reached.length <= maximumPairedMilestones;
  return places.flatMap((from, index) =>
    (paired ? reached.slice(index) : reached.slice(index, index + 1)).map((to) => ({
      step: milestoneStep(from.id, to.id),
      ms: to.at - from.at,
    })),
  );
}
