import { timerFiredType } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import { accept, type Decision, reject } from '../model/model.ts';
import { compareTimes, earlierTime } from '../time/compare-times.ts';
import { runningTimers, timerChanges, withAlert, withoutObsoleteAlerts } from './alerts.ts';
import { milestoneReachedType, type ProcessDeclaration } from './declaration.ts';
import { withExtension } from './extensions.ts';
import { keptDataViolation, withKeptData } from './kept-data.ts';
import { maximumPauseEvents, pausePairs, withPauseEvent } from './pause-events.ts';
import { isComplete } from './reached-milestones.ts';
import { hasStarted, own, type ProcessState } from './state.ts';
import { alertOf } from './timer-names.ts';

type ProcessEvent = Pick<TrackedEvent, 'type' | 'time'> & { readonly data: unknown };

/**
 * Applies an event to a declared process's state: `f(event, state) -> state'`. The event's data is already validated.
 *
 * @param recordedAt when the commit is made, RFC 3339 in UTC. If an event has a later time, its producer's clock is
 *   ahead, and the event is treated as if it had happened at this time.
 */
export function processTransition(
  process: ProcessDeclaration,
  received: ProcessEvent,
  state: ProcessState,
  recordedAt: string,
): Decision<ProcessState> {
  if (state.cancelled) return reject('the process is canceled');
  if (received.type === timerFiredType) return fire(process, state, received.data as FiredTimer);
  const event = { ...received, time: earlierTime(received.time, recordedAt) };
  const refused = keptDataViolation(process, event.data);
  if (refused) return reject(refused);
  const { time } = event;
  const started = hasStarted(state)
    ? { ...state, started_at: earlierTime(state.started_at, time) }
    : { ...state, started_at: time };
  const next = applied(process, started, event);
  if (typeof next === 'string') return reject(next);
  return settle(process, state, withKeptData(process, next, event), event);
}

/** Returns the state after an event, or why the event is rejected. */
function applied(
  process: ProcessDeclaration,
  state: ProcessState,
  event: ProcessEvent,
): ProcessState | string {
  const { type, time, data } = event;
  if (type === process.cancelOn) return cancel(process, state, time, data);
  if (type === process.extendOn) return withExtension(process, state, time, data);
  const milestone = reachedBy(process, type, data);
  return milestone === undefined
    ? pause(process, state, event)
    : reach(process, state, event, milestone);
}

function reachedBy({ milestones }: ProcessDeclaration, type: string, data: unknown) {
  if (type === milestoneReachedType) return (data as { milestone: string }).milestone;
  return milestones.find(({ on }) => on === type)?.id;
}

function reach(
  process: ProcessDeclaration,
  state: ProcessState,
  event: ProcessEvent,
  id: string,
): ProcessState | string {
  const known = own(state.reached, id);
  // The earliest event counts, so the order of arrival does not matter.
  if (known === undefined || compareTimes(event.time, known) < 0)
    return { ...state, reached: { ...state.reached, [id]: event.time } };
  // A later event can still change the kept data, which can determine deadlines.
  return withKeptData(process, state, event) === state ? `${id} has already been reached` : state;
}

function cancel(
  process: ProcessDeclaration,
  state: ProcessState,
  at: string,
  data: unknown,
): ProcessState | string {
  if (isComplete(process, state)) return 'the process is done';
  const { reason } = (data ?? {}) as { reason?: unknown };
  return { ...state, cancelled: typeof reason === 'string' ? { at, reason } : { at } };
}

function pause(
  process: ProcessDeclaration,
  state: ProcessState,
  { type, time }: ProcessEvent,
): ProcessState | string {
  const events = withPauseEvent(pausePairs(process), state.pause_events ?? {}, type, time);
  if (events) return { ...state, pause_events: events };
  return `the process already has ${maximumPauseEvents} pauses by ${type}, which is the limit`;
}

interface FiredTimer {
  readonly name: string;
  readonly dueAt: string;
}

function fire(
  process: ProcessDeclaration,
  state: ProcessState,
  { name, dueAt }: FiredTimer,
): Decision<ProcessState> {
  const running = runningTimers(process, state);
  const moment = running.get(name);
  // The milestone needs no timer, so another version of the process started the timer that fired.
  if (moment === undefined) return reject(`${alertOf(name).milestone} is no longer expected`);
  // The timer that fired is no longer running.
  running.delete(name);
  // A timer that another version of the process started may have fired too early.
  const next = moment <= dueAt ? withAlert(state, name, dueAt) : state;
  return accept(next, ...timerChanges(running, runningTimers(process, next)));
}

/** Accepts the next state without obsolete reports of late or at-risk milestones, and updates the running timers. */
function settle(
  process: ProcessDeclaration,
  before: ProcessState,
  after: ProcessState,
  { type, time }: ProcessEvent,
): Decision<ProcessState> {
  const running = runningTimers(process, before);
  try {
    const next = withoutObsoleteAlerts(process, after);
    return accept(next, ...timerChanges(running, runningTimers(process, next)));
  } catch (error) {
    // The calendar cannot compute a deadline that starts at the time of this event.
    if (!(error instanceof RangeError)) throw error;
    return reject(`a deadline cannot be computed after ${type} at ${time}: ${error.message}`);
  }
}
