import type { Commit, Head } from '../history/commit.ts';
import type { Description } from '../model/description.ts';

/** The duration of a step of an instance, in milliseconds. */
export interface StepTime {
  readonly step: string;
  readonly ms: number;
}

/**
 * The maximum number of reached milestones for which each pair is a step. With more, only pairs of consecutive
 * milestones are steps.
 */
const maximumPairedMilestones = 32;

/** The name of the step that ends when an instance leaves a status. */
export const statusStep = (status: string) => JSON.stringify([status]);

/** The name of the step from one milestone to another, or from the start of the instance if `from` is null. */
export const milestoneStep = (from: string | null, to: string) => JSON.stringify([from, to]);

/** A milestone and when it was reached, in milliseconds since 1970. */
export interface ReachedMilestone {
  readonly id: string;
  readonly at: number;
}

/** The milestones reached, sorted by time. */
export function reachedMilestones({ milestones = [] }: Description): ReachedMilestone[] {
  const reached = milestones.flatMap(({ id, at }) =>
    at === undefined ? [] : { id, at: Date.parse(at) },
  );
  return reached.toSorted((a, b) => a.at - b.at);
}

/**
 * The steps that a commit completes: the time in the status that it leaves and, if it ends the process, the time
 * from each milestone to each later milestone.
 */
export function stepTimes(
  before: Pick<Head, 'description' | 'startedAt' | 'statusSince'> | undefined,
  commit: Pick<Commit, 'at' | 'startedAt' | 'changes' | 'description'>,
): StepTime[] {
  const { status } = commit.description;
  const left =
    before && before.startedAt !== null && before.description.status !== status
      ? [
          {
            step: statusStep(before.description.status),
            ms: Date.parse(commit.at) - Date.parse(before.statusSince),
          },
        ]
      : [];
  return commit.changes.done ? [...left, ...milestoneTimes(commit)] : left;
}

function milestoneTimes({ description, startedAt }: Pick<Commit, 'description' | 'startedAt'>) {
  if (startedAt === null) return [];
  const reached = reachedMilestones(description);
  const places = [{ id: null, at: Date.parse(startedAt) }, ...reached];
  const paired = reached.length <= maximumPairedMilestones;
  return places
    .flatMap(
      (from, index) =>
        (paired ? reached.slice(index) : reached.slice(index, index + 1)).map((to) => ({
          step: milestoneStep(from.id, to.id),
          ms: to.at - from.at,
        })),
      // A milestone reached before the first event was recorded has no meaningful duration.
    )
    .filter(({ ms }) => ms >= 0);
}
