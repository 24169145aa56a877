import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { clockSource } from '../event/reserved-source.ts';
import type { JsonObject } from '../json/json.ts';
import type { Effect } from './effect.ts';

/** A running timer of an instance, as stored in its commits. */
export interface Timer {
  readonly name: string;
  /** When the timer is due, RFC 3339 in UTC, to the millisecond. */
  readonly dueAt: string;
  /**
   * A digest of the event that started the timer. It distinguishes the timer from earlier timers with the same
   * name.
   */
  readonly run: string;
}

/** The type of the event that an instance receives when a timer fires. */
export const timerFiredType = 'timer.fired';

/**
 * The data schema of `timer.fired`. Add it to the `events` of a model that starts timers.
 *
 * @example
 * const events = { 'timer.fired': timerFired };
 */
export const timerFired = v.object({
  /** The name that the timer was started with. */
  name: v.string(),
  /** When the timer was due: RFC 3339 in UTC. */
  dueAt: v.string(),
});

const idOf = ({ name, run }: Timer) => `timer/${name}@${run}`;

/**
 * Builds the CloudEvent of a timer that is due. The same timer always results in the same event, so a repeated event is
 * detected as a duplicate.
 */
export function timerEvent({ model, transaction }: InstanceKey, timer: Timer): JsonObject {
  const { name, dueAt } = timer;
  return {
    specversion: '1.0',
    id: idOf(timer),
    source: clockSource,
    type: timerFiredType,
    modelid: model,
    transactionid: transaction,
    time: dueAt,
    data: { name, dueAt },
  };
}

/** Returns true if an event has the type of timer events. */
export const isTimerEvent = ({ type }: TrackedEvent) => type === timerFiredType;

/** Returns true for a timer event that Milepost's clock sent. */
export const isClockEvent = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === timerFiredType && source === clockSource;

/**
 * Returns true if an event from the clock belongs to a timer that was canceled or restarted, or that has already fired.
 */
export function isStaleTimerEvent(event: TrackedEvent, timers: readonly Timer[]): boolean {
  return isClockEvent(event) && !timers.some((timer) => fires(event, timer));
}

/** Removes the timer that an event belongs to. Returns the timers unchanged if the event belongs to none of them. */
export function withoutFiredTimer(timers: readonly Timer[], event: TrackedEvent): readonly Timer[] {
  return isClockEvent(event) ? timers.filter((timer) => !fires(event, timer)) : timers;
}

const fires = ({ id }: TrackedEvent, timer: Timer) => id === idOf(timer);

/**
 * Returns the running timers after a transition, sorted by due time. Timers with the same due time are in the order
 * they were started.
 */
export function timersAfter(
  timers: readonly Timer[],
  effects: readonly Effect[],
  { source, id }: TrackedEvent,
): readonly Timer[] {
  if (!effects.some(({ kind }) => kind === 'start-timer' || kind === 'cancel-timer')) return timers;
  const run = hash('sha256', JSON.stringify([source, id])).slice(0, 12);
  const running = new Map(timers.map((timer) => [timer.name, timer]));
  for (const effect of effects) {
    if (effect.kind !== 'start-timer' && effect.kind !== 'cancel-timer') continue;
    // A restarted timer sorts after the timers with the same due time that were started earlier.
    running.delete(effect.name);
    if (effect.kind === 'start-timer')
      running.set(effect.name, { name: effect.name, dueAt: effect.dueAt, run });
  }
  return [...running.values()].toSorted(compareDueAt);
}

/** Compares timers for sorting: by due time, earliest first. */
export function compareDueAt(a: Timer, b: Timer): number {
  if (a.dueAt === b.dueAt) return 0;
  return a.dueAt < b.dueAt ? -1 : 1;
}
