import type { Calendar } from '../calendar/calendar.ts';
import {
  type DeadlineFacts,
  type DeadlineTimes,
  deadlineTimes,
} from '../deadline/deadline-times.ts';
import { type Pause, pausesBetween } from '../deadline/pauses.ts';
import type { MilestoneProgress } from '../model/description.ts';
import { compareTimes } from '../time/compare-times.ts';
import { after } from '../time/duration.ts';
import { deadlineOf, type ProcessDeclaration, type ProcessMilestone } from './declaration.ts';
import { promiseFor } from './kept-data.ts';
import { isCalendar, type MilestoneDeadline } from './milestone-deadline.ts';
import { openMilestones, reachedAt } from './reached-milestones.ts';
import { own, type ProcessState } from './state.ts';
import type { Alert } from './timer-names.ts';

export function progressOfMilestones(
  process: ProcessDeclaration,
  state: ProcessState,
): MilestoneProgress[] {
  const open = new Set(openMilestones(process, state));
  return process.milestones.map((milestone) => {
    const at = reachedAt(state, milestone);
    const { expectedBy, ...times } = timesOf(state, milestone);
    const isLate = own(state.late, milestone.id) !== undefined;
    const isAtRisk = !isLate && own(state.at_risk, milestone.id) !== undefined;
    return {
      id: milestone.id,
      ...(at === undefined ? {} : { at }),
      ...(expectedBy === undefined ? {} : { expectedBy }),
      ...(open.has(milestone) ? times : {}),
      ...(isAtRisk ? { atRisk: true } : {}),
      ...(isLate ? { late: true } : {}),
    };
  });
}

/**
 * Returns when a milestone is reported as at risk and as late, including the grace period. Omits `late` if the
 * milestone has no deadline, if the deadline has not started, or while it is paused.
 */
export function alertTimes(
  state: ProcessState,
  milestone: ProcessMilestone,
): Partial<Record<Alert, string>> {
  const { expectedBy, atRiskAt } = timesOf(state, milestone);
  const grace = deadlineOf(milestone)?.grace;
  const delayed = (time: string) => (grace === undefined ? time : after(time, grace));
  return {
    ...(expectedBy === undefined ? {} : { late: delayed(expectedBy) }),
    ...(atRiskAt === undefined ? {} : { risk: delayed(atRiskAt) }),
  };
}

/** Returns the facts of all deadlines, by milestone id. */
export const factsOfDeadlines = (
  { milestones }: ProcessDeclaration,
  state: ProcessState,
): Record<string, DeadlineFacts> =>
  Object.fromEntries(
    milestones.flatMap((milestone) => {
      const facts = factsOf(state, milestone);
      return facts ? [[milestone.id, facts]] : [];
    }),
  );

/** Returns the times of a milestone's deadline; empty if there is no deadline or it has not started. */
function timesOf(state: ProcessState, milestone: ProcessMilestone): DeadlineTimes {
  const facts = factsOf(state, milestone);
  return facts ? deadlineTimes(facts) : {};
}

function factsOf(state: ProcessState, milestone: ProcessMilestone): DeadlineFacts | undefined {
  const deadline = deadlineOf(milestone);
  if (!deadline) return undefined;
  const promise = promiseFor(state, milestone.id);
  return {
    start: deadline.after === undefined ? state.started_at : own(state.reached, deadline.after),
    within: withinOf(state, deadline),
    calendar: calendarOf(state, deadline),
    warnAt: deadline.warnAt,
    pauses: pausesOf(state, deadline, reachedAt(state, milestone)),
    extensions: [...(promise ? [promise] : []), ...(own(state.extensions, milestone.id) ?? [])],
  };
}

function withinOf(state: ProcessState, { within, tiers }: MilestoneDeadline): string | undefined {
  if (!tiers) return within;
  const { key, ...durations } = tiers;
  return own(durations, keptText(state, key)) ?? within;
}

function calendarOf(state: ProcessState, { calendar }: MilestoneDeadline): Calendar | undefined {
  if (calendar === undefined || isCalendar(calendar)) return calendar;
  const { key, ...calendars } = calendar;
  return (own(calendars, keptText(state, key)) ?? calendar.default) as Calendar;
}

function keptText({ kept }: ProcessState, name: string): string {
  const value = own(kept, name) ?? null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a deadline's pauses, except pauses that begin at or after the time when the milestone was reached. */
function pausesOf(
  { pause_events = {} }: ProcessState,
  { pausedWhile }: MilestoneDeadline,
  reached: string | undefined,
): Pause[] {
  if (!pausedWhile) return [];
  const times = (type: string) => own(pause_events, type) ?? [];
  const pauses = pausesBetween(times(pausedWhile.from), times(pausedWhile.until));
  return reached === undefined
    ? pauses
    : pauses.filter(({ from }) => compareTimes(from, reached) < 0);
}
