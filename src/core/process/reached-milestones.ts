import type { ProcessDeclaration, ProcessMilestone } from './declaration.ts';
import { own, type ProcessState } from './state.ts';

/** Returns when a milestone was reached; undefined until then. */
export const reachedAt = (state: ProcessState, { id }: Pick<ProcessMilestone, 'id'>) =>
  own(state.reached, id);

/** Returns true if the last milestone that is not optional is reached. */
export function isComplete({ milestones }: ProcessDeclaration, state: ProcessState): boolean {
  const last = milestones.findLast(({ optional }) => !optional)!;
  return reachedAt(state, last) !== undefined;
}

/** Returns true if the process is complete or canceled. */
export function isDone(process: ProcessDeclaration, state: ProcessState): boolean {
  return state.cancelled !== undefined || isComplete(process, state);
}

/** Returns the index of the furthest milestone reached; -1 if none is reached. */
export function furthest({ milestones }: ProcessDeclaration, state: ProcessState): number {
  return milestones.findLastIndex((milestone) => reachedAt(state, milestone) !== undefined);
}

/** Returns the milestones that are not reached, except optional milestones before the furthest milestone reached. */
export function unreachedMilestones(
  process: ProcessDeclaration,
  state: ProcessState,
): ProcessMilestone[] {
  const reached = furthest(process, state);
  return process.milestones.filter(
    (milestone, index) =>
      reachedAt(state, milestone) === undefined && !(milestone.optional && index < reached),
  );
}

/** Returns the milestones that are still expected: they are neither reached nor skipped. */
export const openMilestones = (
  process: ProcessDeclaration,
  state: ProcessState,
): ProcessMilestone[] => (isDone(process, state) ? [] : unreachedMilestones(process, state));
