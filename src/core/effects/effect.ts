import type { InstanceKey } from '../event/event.ts';
import type { Json } from '../json/json.ts';

/** An effect that sends an event to an instance. The event goes through the stream like any other event. */
export interface Emit extends InstanceKey {
  /** Marks the effect as an emitted event. */
  readonly kind: 'emit';
  /** The type of the emitted event. */
  readonly type: string;
  /** The data of the emitted event. */
  readonly data: Json;
  /** If true, the sending instance receives the outcome as an `outcome.recorded` event. Default: false. */
  readonly replyTo?: boolean;
}

/** An effect that publishes a notification to people or other systems. A notification does not change any instance. */
export interface Notify {
  /** Marks the effect as a notification. */
  readonly kind: 'notify';
  /** The `detail-type` on the event bus. */
  readonly type: string;
  /** The notification's data: `detail.data` on the event bus. */
  readonly data: Json;
}

/** An effect that starts a timer, or restarts the running timer with the same name. */
export interface StartTimer {
  /** Marks the effect as a timer to start. */
  readonly kind: 'start-timer';
  /** The name of the timer: 1 to 200 characters. If a timer with this name is running, it moves to `dueAt`. */
  readonly name: string;
  /** When the timer fires, RFC 3339. A timer that is due in the past fires immediately. */
  readonly dueAt: string;
}

/** An effect that cancels a timer. Canceling a timer that is not running has no effect. */
export interface CancelTimer {
  /** Marks the effect as a timer to cancel. */
  readonly kind: 'cancel-timer';
  /** The name that the timer was started with: 1 to 200 characters. */
  readonly name: string;
}

/**
 * An action that a transition requests in addition to the new state. An effect runs after the commit and is idempotent:
 * running it again has no further effect.
 */
export type Effect = Emit | Notify | StartTimer | CancelTimer;

/** An effect that sends an event or publishes a notification. */
export type OutgoingEffect = Emit | Notify;

/**
 * Sends an event to any instance of any model, including the sending instance.
 *
 * @param event the event's receiver, type, and data.
 * @returns the effect to pass to `accept`.
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
  /** The event's type, which the receiving model must declare. */
  readonly type: string;
  /** The event's data, which the receiving model validates. @default {} */
  readonly data?: Json | undefined;
  /** If true, the sending instance receives the outcome as an `outcome.recorded` event. @default false */
  readonly replyTo?: boolean | undefined;
}): Emit {
  const { data = {}, ...rest } = event;
  return { kind: 'emit', ...rest, data };
}

/**
 * Starts a timer of this instance. When the timer is due, the instance receives a `timer.fired` event whose data
 * contains the timer's `name` and `dueAt`. The event's `time` is `dueAt`.
 *
 * @param name the name of the timer: 1 to 200 characters. Starting a timer that is already running moves it to the new
 *   `dueAt`.
 * @param dueAt when the timer fires, RFC 3339; see `after`.
 * @returns the effect to pass to `accept`.
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
 * Cancels a timer of this instance. Has no effect if the timer is not running.
 *
 * @param name the name that the timer was started with.
 * @returns the effect to pass to `accept`.
 *
 * @example
 * accept({ paid: true }, cancelTimer('reservation/Fred'));
 */
export const cancelTimer = (name: string): CancelTimer => ({ kind: 'cancel-timer', name });

/**
 * Publishes a notification in addition to Milepost's own notifications, such as `StatusChanged`.
 *
 * @param type the notification's type: the `detail-type` on the bus.
 * @param data the notification's data: `detail.data` on the bus.
 * @returns the effect to pass to `accept`.
 *
 * @example
 * accept({ left: 3 }, notify('NearlySoldOut', { left: 3 }));
 */
export const notify = (type: string, data: Json = {}): Notify => ({ kind: 'notify', type, data });
