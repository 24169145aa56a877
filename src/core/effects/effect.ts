import type { InstanceKey } from '../event/event.ts';
import type { Json } from '../json/json.ts';

/** An event for some instance; it goes through the stream like any other. */
export interface Emit extends InstanceKey {
  /** Tells it from other effects. */
  readonly kind: 'emit';
  /** What happened, as the other instance gets to hear it. */
  readonly type: string;
  /** What there is to know about it. */
  readonly data: Json;
  /** True when this instance wants to hear the outcome, as `outcome.recorded`. */
  readonly replyTo?: boolean;
}

/** Something that people or other systems should hear of; it changes no instance. */
export interface Notify {
  /** Tells it from other effects. */
  readonly kind: 'notify';
  /** What is published: the `detail-type` on the bus. */
  readonly type: string;
  /** What there is to know about it: `detail.data` on the bus. */
  readonly data: Json;
}

/** Starts a timer, or starts the one of this name anew. */
export interface StartTimer {
  /** Tells it from other effects. */
  readonly kind: 'start-timer';
  /** 1 to 200 characters; the timer of this name is moved where it runs. */
  readonly name: string;
  /** RFC 3339; one that is in the past fires at once. */
  readonly dueAt: string;
}

/** Stops a timer, if it runs. */
export interface CancelTimer {
  /** Tells it from other effects. */
  readonly kind: 'cancel-timer';
  /** Of the timer. */
  readonly name: string;
}

/** What a transition asks for besides the new state: data, done after the commit, once in effect. */
export type Effect = Emit | Notify | StartTimer | CancelTimer;

/** An effect that leaves the instance. */
export type OutgoingEffect = Emit | Notify;

/**
 * Sends an event to any instance of any model, this one too. `data` is `{}` where left out.
 *
 * @param event the receiver, the type and the data of the event.
 * @returns The effect, for `accept`.
 *
 * @example
 * const state = { orders: 1 };
 * accept(
 *   state,
 *   emit({ model: 'customer', transaction: 'Fred', type: 'purchase.recorded', data: { qty: 2 } }),
 * );
 */
export function emit(event: {
  /** The id of the receiving model. */
  readonly model: string;
  /** The transaction id of the receiving instance. */
  readonly transaction: string;
  /** The event type. */
  readonly type: string;
  /** The event's data. @default {} */
  readonly data?: Json;
  /** True: this instance receives the outcome as an `outcome.recorded` event. @default false */
  readonly replyTo?: boolean;
}): Emit {
  const { data = {}, ...rest } = event;
  return { kind: 'emit', ...rest, data };
}

/**
 * Starts a timer of this instance: when it is due, the instance gets an event
 * `timer.fired` with the data `{ name, dueAt }`, whose `time` is `dueAt`.
 *
 * @param name 1 to 200 characters. Starting one that runs already moves it.
 * @param dueAt RFC 3339; see `after`.
 * @returns The effect, for `accept`.
 *
 * @example
 * const hold = (event: TrackedEvent, who: string) =>
 *   startTimer(`reservation/${who}`, after(event.time, 'PT30S'));
 */
export const startTimer = (name: string, dueAt: string): StartTimer => ({
  kind: 'start-timer',
  name,
  dueAt,
});

/**
 * Stops a timer of this instance; fine when it does not run.
 *
 * @param name the name that the timer was started with.
 * @returns The effect, for `accept`.
 *
 * @example
 * accept({ paid: true }, cancelTimer('reservation/Fred'));
 */
export const cancelTimer = (name: string): CancelTimer => ({ kind: 'cancel-timer', name });

/**
 * Publishes a notification beside those that every status change makes.
 *
 * @param type the notification's type: the `detail-type` on the bus.
 * @param data the notification's data: `detail.data` on the bus.
 * @returns The effect, for `accept`.
 *
 * @example
 * accept({ left: 3 }, notify('NearlySoldOut', { left: 3 }));
 */
export const notify = (type: string, data: Json = {}): Notify => ({ kind: 'notify', type, data });
