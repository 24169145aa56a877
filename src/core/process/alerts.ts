import { cancelTimer, type Effect, startTimer } from '../effects/effect.ts';
import type { ProcessDeclaration } from './declaration.ts';
import { alertTimes } from './progress.ts';
import { openMilestones, unreachedMilestones } from './reached-milestones.ts';
import { hasStarted, own, type ProcessState } from './state.ts';
import { type Alert, alertOf, lateTimer, riskTimer } from './timer-names.ts';

/**
 * Removes obsolete reports of late or at-risk milestones from the state. A report is obsolete if its milestone is
 * reached, if the milestone is optional and a later milestone is reached, or if the deadline is paused or was moved
 * past the reported time.
 */
export function withoutObsoleteAlerts(
  process: ProcessDeclaration,
  { late = {}, at_risk = {}, ...state }: ProcessState,
): ProcessState {
  if (Object.keys(late).length === 0 && Object.keys(at_risk).length === 0) return state;
  const unreached = unreachedMilestones(process, state);
  const valid = (reported: Readonly<Record<string, string>>, alert: Alert) =>
    Object.entries(reported).filter(([id, moment]) => {
      const milestone = unreached.find((each) => each.id === id);
      if (!milestone) return false;
      const current = alertTimes(state, milestone)[alert];
      return current !== undefined && current <= moment;
    });
  const [stillLate, stillAtRisk] = [valid(late, 'late'), valid(at_risk, 'risk')];
  return {
    ...state,
    ...(stillLate.length > 0 ? { late: Object.fromEntries(stillLate) } : {}),
    ...(stillAtRisk.length > 0 ? { at_risk: Object.fromEntries(stillAtRisk) } : {}),
  };
}

/** Records in the state that a milestone is late or at risk, after the timer for this report has fired. */
export function withAlert(state: ProcessState, timer: string, moment: string): ProcessState {
  const { alert, milestone } = alertOf(timer);
  const name = alert === 'late' ? 'late' : 'at_risk';
  return { ...state, [name]: { ...state[name], [milestone]: moment } };
}

/** Returns when each running timer of a process fires, by the timer's name. */
export function runningTimers(
  process: ProcessDeclaration,
  state: ProcessState,
): Map<string, string> {
  // The first applied event starts the first timers because a rejected event has no effects.
  if (!hasStarted(state)) return new Map();
  return new Map(
    openMilestones(process, state).flatMap((milestone) => {
      const { id } = milestone;
      const { late, risk } = alertTimes(state, milestone);
      // No timer is needed without a deadline, while the deadline is paused, or after the milestone was reported as
      // late.
      if (late === undefined || own(state.late, id) !== undefined) return [];
      const isReported = risk === undefined || own(state.at_risk, id) !== undefined;
      return [
        ...(isReported ? [] : [[riskTimer(id), risk] as const]),
        [lateTimer(id), late] as const,
      ];
    }),
  );
}

/**
 * Returns the effects that replace the running timers with the needed timers. A timer whose time stays the same keeps
 * running.
 */
export function timerChanges(
  running: ReadonlyMap<string, string>,
  needed: ReadonlyMap<string, string>,
): Effect[] {
  return [
    ...[...running.keys()].filter((name) => !needed.has(name)).map(cancelTimer),
    ...[...needed]
      .filter(([name, moment]) => running.get(name) !== moment)
      .map(([name, moment]) => startTimer(name, moment)),
  ];
}
