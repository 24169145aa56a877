import { cancelTimer, type Effect, startTimer } from '../effects/effect.ts';
import { timerFiredType } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import { accept, type Decision, reject } from '../model/model.ts';
import { milestoneReachedType, type ProcessDeclaration } from './declaration.ts';
import { lateTimer, milestoneOf } from './late-timer.ts';
import { expectedBy, isComplete, type ProcessState, pendingDeadlines } from './state.ts';

type Taken = Pick<TrackedEvent, 'type' | 'time'> & { readonly data: unknown };

/** The transition of a declared process, `f(event, state) -> state'`. The event's data is already validated. */
export function processTransition(
  process: ProcessDeclaration,
  { type, time, data }: Taken,
  state: ProcessState,
): Decision<ProcessState> {
  if (state.cancelled) return reject('the process is canceled');
  if (type === timerFiredType) return late(process, state, data as { name: string });
  if (type === process.cancelOn) return cancel(process, state, time, data);
  return reach(process, state, time, reachedBy(process, type, data));
}

function reachedBy({ milestones }: ProcessDeclaration, type: string, data: unknown): string {
  if (type === milestoneReachedType) return (data as { milestone: string }).milestone;
  return milestones.find(({ on }) => on === type)!.id;
}

function reach(
  process: ProcessDeclaration,
  state: ProcessState,
  time: string,
  id: string,
): Decision<ProcessState> {
  if (Object.hasOwn(state.reached, id)) return reject(`${id} is already reached`);
  const { late: { [id]: _, ...stillLate } = {}, ...rest } = state;
  const next: ProcessState = {
    ...rest,
    reached: { ...state.reached, [id]: time },
    ...(Object.keys(stillLate).length > 0 ? { late: stillLate } : {}),
  };
  return accept(next, ...timers(process, state, next));
}

function cancel(
  process: ProcessDeclaration,
  state: ProcessState,
  at: string,
  data: unknown,
): Decision<ProcessState> {
  if (isComplete(process, state)) return reject('the process is done');
  const { reason } = (data ?? {}) as { reason?: unknown };
  const cancelled = typeof reason === 'string' ? { at, reason } : { at };
  const next = { ...state, cancelled };
  return accept(next, ...timers(process, state, next));
}

function late(
  process: ProcessDeclaration,
  state: ProcessState,
  { name }: { readonly name: string },
): Decision<ProcessState> {
  const milestone = pendingDeadlines(process, state).find(({ id }) => lateTimer(id) === name);
  // Happens only if another version of the process started the timer.
  if (!milestone) return reject(`${milestoneOf(name)} is no longer expected`);
  const dueAt = expectedBy(state, milestone)!;
  return accept({ ...state, late: { ...state.late, [milestone.id]: dueAt } });
}

/**
 * Returns the effects that start and cancel timers between two states. The first accepted event starts the first
 * timers, because a rejected event has no effects.
 */
function timers(process: ProcessDeclaration, before: ProcessState, next: ProcessState): Effect[] {
  const none = Object.keys(before.reached).length === 0;
  const running = none ? [] : pendingDeadlines(process, before);
  const needed = pendingDeadlines(process, next);
  return [
    ...running.filter((each) => !needed.includes(each)).map(({ id }) => cancelTimer(lateTimer(id))),
    ...needed
      .filter((each) => !running.includes(each))
      .map((each) => startTimer(lateTimer(each.id), expectedBy(next, each)!)),
  ];
}
