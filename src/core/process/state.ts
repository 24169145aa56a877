import { after } from '../time/duration.ts';
import type { ProcessDeclaration, ProcessMilestone } from './declaration.ts';

/** The state of a process. Times are RFC 3339 in UTC. */
export interface ProcessState {
  /** When the first event of the process happened. */
  readonly started_at: string;
  /** When each milestone was reached, by its id. */
  readonly reached: Readonly<Record<string, string>>;
  /** The expected times of the milestones that are late, by id. */
  readonly late?: Readonly<Record<string, string>>;
  /** The cancellation, if the process was canceled. */
  readonly cancelled?: {
    /** When the process was canceled. */
    readonly at: string;
    /** The reason in the event, if any. */
    readonly reason?: string;
  };
}

/** When a milestone was reached; undefined until then. */
export function reachedAt(state: ProcessState, { id }: ProcessMilestone): string | undefined {
  // An id may be the name of an inherited property, such as `constructor`.
  return Object.hasOwn(state.reached, id) ? state.reached[id] : undefined;
}

/** True if a milestone is late. */
export function isLate({ late = {} }: ProcessState, { id }: ProcessMilestone): boolean {
  return Object.hasOwn(late, id);
}

/** When a milestone is expected; undefined if it has no expected time. */
export function expectedBy(
  { started_at }: ProcessState,
  { expectedWithin }: ProcessMilestone,
): string | undefined {
  return expectedWithin === undefined ? undefined : after(started_at, expectedWithin);
}

/** True if the last milestone that is not optional is reached. */
export function isComplete({ milestones }: ProcessDeclaration, state: ProcessState): boolean {
  const last = milestones.findLast(({ optional }) => !optional)!;
  return reachedAt(state, last) !== undefined;
}

/** True if the process is complete or canceled. */
export function isDone(process: ProcessDeclaration, state: ProcessState): boolean {
  return state.cancelled !== undefined || isComplete(process, state);
}

/** The index of the furthest milestone reached; -1 before the first. */
export function furthest({ milestones }: ProcessDeclaration, state: ProcessState): number {
  return milestones.findLastIndex((milestone) => reachedAt(state, milestone) !== undefined);
}

/** The milestones that can still become late: they have an expected time and are not reached, late or skipped. */
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
      // An optional milestone before the furthest milestone reached is skipped.
      !(milestone.optional && index < reached),
  );
}
