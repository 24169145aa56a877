import type { Effect } from '../core/effects/effect.ts';
import { testSourceOf } from '../core/effects/outgoing-event.ts';
import { timerEvent, timerFiredType } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { type FoldStep, foldEvent } from '../core/history/fold.ts';
import { migrateState } from '../core/history/migrate.ts';
import { restoreSnapshot, type Snapshot } from '../core/history/snapshot.ts';
import type { Json } from '../core/json/json.ts';
import { parseJson } from '../core/json/parse-json.ts';
import type { Description } from '../core/model/description.ts';
import type { EventSchemas, Model } from '../core/model/model.ts';
import { requiredTime, toUtc } from '../core/time/timestamp.ts';
import { requirePure } from './require-pure.ts';
import { timeAfter } from './time-after.ts';

/** An event in a test: its type and data, and other attributes that the test depends on. */
export interface TestEvent {
  /** The event type. */
  readonly type: string;
  /** The data, which the schema for this event type validates. @default {} */
  readonly data?: Json | undefined;
  /** The event's id; ignored for `fired`. @default event-0, event-1, … by position */
  readonly id?: string | undefined;
  /**
   * The event's source; ignored for `fired`.
   *
   * @default 'test'; for `outcome.recorded`, the instance that received the original event
   */
  readonly source?: string | undefined;
  /**
   * When the event happened, RFC 3339.
   *
   * @default one second after the previous event; for the first event, `2026-01-01T00:00:00Z`; for `fired`, when the
   *   timer is due
   */
  readonly time?: string | undefined;
  /** When the event is recorded, RFC 3339 in UTC: `recordedAt` in the context. @default the event's time */
  readonly recordedAt?: string | undefined;
}

/**
 * Creates the event that a running timer sends when it is due: `when(fired('reservation/Fred'))`.
 *
 * @param name the name that the timer was started with.
 * @returns the event to pass to `when`.
 *
 * @example
 * declare const tickets: Model;
 *
 * given(tickets, { type: 'tickets.reserved', data: { who: 'Fred', qty: 2 } })
 *   .when(fired('reservation/Fred'))
 *   .then(({ timers }) => console.log(timers)); // []
 */
export const fired = (name: string): TestEvent => ({ type: timerFiredType, data: { name } });

/** The result of the events, which `then` receives. */
export interface Result<State> {
  /** The state after the last event. */
  readonly state: State;
  /** The status after the last event. */
  readonly status: string;
  /** The model's description of the state; without milestones until an event is applied. */
  readonly description: Description;
  /** The outcome of the last event in `when`. */
  readonly outcome: 'applied' | 'rejected';
  /** The reason for rejecting the last event in `when`; null if it was applied. */
  readonly reason: string | null;
  /** The events and notifications that the instance sends because of the events in `when`, in order. */
  readonly sent: readonly Exclude<Effect, { kind: 'start-timer' | 'cancel-timer' }>[];
  /** The running timers, sorted by due time. */
  readonly timers: readonly {
    /** The timer's name. */
    readonly name: string;
    /** When the timer fires: RFC 3339 in UTC. */
    readonly dueAt: string;
  }[];
  /** The status after each event in `when`. */
  readonly statuses: readonly string[];
}

/** The initial events of a test; continue with `when`. */
export interface Given<State> {
  /**
   * Applies one or more events in order. The model can reject any of these events. To check that the model is pure,
   * applies each event twice, the second time with a system clock that is a day ahead, and compares the results.
   *
   * @param events one or more events.
   * @returns the result, which `then` passes to your checks.
   * @throws MilepostError `model-fault` if the model's code fails; Error if a fired timer is not running, if a `time`
   *   is invalid, or if the model is not pure.
   */
  when(...events: readonly [TestEvent, ...TestEvent[]]): When<State>;
}

/** The start of a test: continue with `state` or `when`. */
export interface GivenModel<State> extends Given<State> {
  /**
   * Starts from a state that a version of the model stored, to test the model's `migrate`:
   * `given(model).state(old, { version: 1 }).when(...)`.
   *
   * @param state the old state, which is not modified.
   * @param left the version of the model that stored the state.
   * @returns the start of the test; continue with `when`.
   * @throws MilepostError `model-fault` if `migrate` or `describe` fails; Error if `given` also received events, or if
   *   `migrate` is not pure.
   */
  state(
    state: unknown,
    left: {
      /** The version's number. */
      readonly version: number;
    },
  ): Given<State>;
}

/** The events of a test; continue with `then`. */
export interface When<State> {
  /**
   * Calls `look` synchronously with the result. Write the test's expectations in `look`.
   *
   * @param look the function that checks the result.
   */
  then(look: (result: Result<State>) => void): void;
}

/**
 * Tests a model without AWS: `given(model, ...events).when(...events).then(look)`.
 *
 * @param model the model under test.
 * @param events the initial events, all of which the model must accept.
 * @returns the start of the test; continue with `when`.
 * @throws MilepostError `model-fault` if the model's code fails; Error if the model rejects an event in `given` or is
 *   not pure, if a `time` is invalid, or if the timer of a `timer.fired` event is not running.
 *
 * @example
 * import { expect, it } from 'vitest';
 *
 * const order = defineProcess({
 *   id: 'order',
 *   milestones: [
 *     { id: 'paid', label: 'Paid', on: 'payment.received' },
 *     { id: 'shipped', label: 'Shipped', on: 'order.shipped' },
 *   ],
 * });
 *
 * it('is done when it is shipped', () => {
 *   given(order, { type: 'payment.received' })
 *     .when({ type: 'order.shipped' })
 *     .then(({ status, description }) => {
 *       expect(status).toBe('Shipped');
 *       expect(description.done).toBe(true);
 *     });
 * });
 */
export function given<State, Events extends EventSchemas>(
  model: Model<State, Events>,
  ...events: readonly TestEvent[]
): GivenModel<State> {
  const plain = model as unknown as Model;
  const before = fold(plain, undefined, events, []);
  const refused = before.find((s) => s.outcome === 'rejected');
  if (refused) throw new Error(`given: ${refused.event.type} is rejected: ${refused.reason}`);
  return {
    ...from<State>(plain, before, before.at(-1)?.after),
    state(state, { version }) {
      if (events.length > 0)
        throw new Error('given: pass either initial events or a state, but not both');
      const migrated = requirePure(
        `in migrate from version ${version}`,
        // Copy the state so that `migrate` cannot mutate the test's own object.
        () => migrateState(plain, structuredClone(state), version),
        jsonOf,
      );
      return from(plain, [], migrated);
    },
  };
}

function from<State>(
  model: Model,
  previous: readonly FoldStep[],
  start: Snapshot | undefined,
): Given<State> {
  return {
    when(...happened) {
      const steps = fold(model, start, happened, previous);
      const last = steps.at(-1)!;
      const { description, state } = last.after;
      return {
        then(look) {
          look({
            state: state as State,
            status: description.status,
            description,
            outcome: last.outcome,
            reason: last.reason,
            sent: steps.flatMap((s) => s.effects),
            timers: last.after.timers.map(({ name, dueAt }) => ({ name, dueAt })),
            statuses: steps.map((s) => s.after.description.status),
          });
        },
      };
    },
  };
}

function fold(
  model: Model,
  start: Snapshot | undefined,
  events: readonly TestEvent[],
  previous: readonly FoldStep[],
): FoldStep[] {
  const steps: FoldStep[] = [];
  for (const event of events) {
    const before = steps.at(-1)?.after ?? start;
    const last = steps.at(-1) ?? previous.at(-1);
    const whole =
      event.type === timerFiredType
        ? toFiring(model, event, before)
        : toEvent(model, event, previous.length + steps.length, last?.event.time);
    steps.push(
      requirePure(
        `on ${event.type}`,
        // Copy the state because the model may mutate it.
        () => foldEvent(model, before && restoreSnapshot(before), whole, event.recordedAt),
        ({ outcome, reason, effects, after }) => ({ outcome, reason, effects, ...jsonOf(after) }),
      ),
    );
  }
  return steps;
}

const jsonOf = ({ json, description, timers }: Snapshot) => ({
  state: parseJson(json),
  description,
  timers,
});

/** The transaction id of every event. */
const transaction = 'test';

function toEvent(
  model: Model,
  event: TestEvent,
  index: number,
  previousTime: string | undefined,
): TrackedEvent {
  return {
    model: model.id,
    transaction,
    id: event.id ?? `event-${index}`,
    source: event.source ?? testSourceOf(event.type, event.data, 'test'),
    type: event.type,
    time: timeOf(event) ?? timeAfter(previousTime),
    data: event.data === undefined ? {} : event.data,
  };
}

/** Returns the time of a test event in UTC, as models receive it; undefined if the test sets none. */
function timeOf({ type, time }: TestEvent): string | undefined {
  if (time === undefined) return undefined;
  const utc = toUtc(time);
  if (utc !== undefined) return utc;
  throw new Error(
    `given: the time of ${type} must be ${requiredTime}; got ${JSON.stringify(time)}`,
  );
}

/** Builds the event that Milepost's clock would send for a running timer. */
function toFiring(model: Model, event: TestEvent, before: Snapshot | undefined): TrackedEvent {
  const { name } = (event.data ?? {}) as { name?: string };
  const timer = before?.timers.find((each) => each.name === name);
  if (!timer) throw new Error(`no timer ${JSON.stringify(name)} is running`);
  const key = { model: model.id, transaction };
  const { id, source, type, time, data } = timerEvent(key, timer) as unknown as TrackedEvent;
  return { ...key, id, source, type, time: timeOf(event) ?? time, data };
}
