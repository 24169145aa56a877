import type { Commit, Head } from '../history/commit.ts';
import type { Description } from '../model/description.ts';

/** A step that an instance took, by its name, and how long it took, in milliseconds. */
export interface StepTime {
  readonly step: string;
  readonly ms: number;
}

/** Of more milestones than this only the way from each to the next one is a step. */
const maximumPairedMilestones = 32;

/** The name of the step of leaving a status. */
export const statusStep = (status: string) => JSON.stringify([status]);

/** The name of the step from a milestone, or from the start of an instance, to another one. */
export const milestoneStep = (from: string | null, to: string) => JSON.stringify([from, to]);

/** A milestone that was reached, and when, in milliseconds since 1970. */
export interface ReachedMilestone {
  readonly id: string;
  readonly at: number;
}

/** The milestones that were reached, in the order in which they were. */
export function reachedMilestones({ milestones = [] }: Description): ReachedMilestone[] {
  const reached = milestones.flatMap(({ id, at }) =>
    at === undefined ? [] : { id, at: Date.parse(at) },
  );
  return reached.toSorted((a, b) => a.at - b.at);
}

/**
 * The steps that a commit ended: the status that it left; and where it ended the process, the way from
 * each milestone to each later one.
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
      // What happened before its first event came took no time that can be told.
    )
    .filter(({ ms }) => ms >= 0);
}
