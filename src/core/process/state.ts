import { after } from '../time/duration.ts';
import type { ProcessDeclaration, ProcessMilestone } from './declaration.ts';

/** Where a process is; times RFC 3339 in UTC. */
export interface ProcessState {
  /** When its first event happened. */
  readonly started_at: string;
  /** When each milestone was reached, by its id. */
  readonly reached: Readonly<Record<string, string>>;
  /** When each milestone was due that was not reached by then, and is not yet, by its id. */
  readonly late?: Readonly<Record<string, string>>;
  /** When it was cancelled, and why where the event said. */
  readonly cancelled?: {
    /** When it was cancelled. */
    readonly at: string;
    /** The reason that the event gave. */
    readonly reason?: string;
  };
}

/** When a milestone was reached; undefined while it is not. */
export function reachedAt(state: ProcessState, { id }: ProcessMilestone): string | undefined {
  // A milestone may be called `constructor`.
  return Object.hasOwn(state.reached, id) ? state.reached[id] : undefined;
}

/** Whether a milestone is late. */
export function isLate({ late = {} }: ProcessState, { id }: ProcessMilestone): boolean {
  return Object.hasOwn(late, id);
}

/** By when a milestone is expected; undefined where nobody said. */
export function expectedBy(
  { started_at }: ProcessState,
  { expectedWithin }: ProcessMilestone,
): string | undefined {
  return expectedWithin === undefined ? undefined : after(started_at, expectedWithin);
}

/** Whether a process is complete: the last milestone that it cannot do without is reached. */
export function isComplete({ milestones }: ProcessDeclaration, state: ProcessState): boolean {
  const last = milestones.findLast(({ optional }) => !optional)!;
  return reachedAt(state, last) !== undefined;
}

/** Whether nothing more has to happen. */
export function isDone(process: ProcessDeclaration, state: ProcessState): boolean {
  return state.cancelled !== undefined || isComplete(process, state);
}

/** The furthest milestone that is reached, as an index; -1 before the first. */
export function furthest({ milestones }: ProcessDeclaration, state: ProcessState): number {
  return milestones.findLastIndex((milestone) => reachedAt(state, milestone) !== undefined);
}

/** The milestones that may yet turn out late: they have an expected time, and are still to come. */
export function pendingDeadlines(
  process: ProcessDeclaration,
  state: ProcessState,
): ProcessMilestone[] {
  if (isDone(process, state)) return [];
  const reached = furthest(process, state);
  return process.milestones.filter(
    (milestone, index) =>
      milestone.expectedWithin !== undefined &&
      reachedAt(state, milestone) === undefined &&
      !isLate(state, milestone) &&
      // An optional one that the process went past is skipped.
      !(milestone.optional && index < reached),
  );
}
