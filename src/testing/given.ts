import type { Effect } from '../core/effects/effect.ts';
import { testSourceOf } from '../core/effects/outgoing-event.ts';
import { timerEvent, timerFiredType } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { type FoldStep, foldEvent } from '../core/history/fold.ts';
import { migrateState } from '../core/history/migrate.ts';
import { type Snapshot } from '../core/history/snapshot.ts';
import type { Json } from '../core/json/json.ts';
import type { Description } from '../core/model/description.ts';
import type { EventSchemas, Model } from '../core/model/model.ts';
import { toIso } from '../core/time/timestamp.ts';

/** An event as a test writes it: its type and data, and the rest where it matters. */
export interface TestEvent {
  /** What happened. */
  readonly type: string;
  /** Checked by the schema of its type. @default {} */
  readonly data?: Json;
  /** What names it. @default event-0, event-1, … by its place */
  readonly id?: string;
  /** Who says so. @default 'test'; of `outcome.recorded`, the instance that it tells of */
  readonly source?: string;
  /** When it happened, RFC 3339; one second after the event before it where left out. */
  readonly time?: string;
}

/**
 * The event of a timer that is due: `when(fired('reservation/Fred'))`.
 *
 * @param name the name that the timer was started with.
 * @returns The event, for `when`.
 *
 * @example
 * declare const tickets: Model;
 *
 * given(tickets, { type: 'tickets.reserved', data: { who: 'Fred', qty: 2 } })
 *   .when(fired('reservation/Fred'))
 *   .then(({ timers }) => console.log(timers)); // []
 */
export const fired = (name: string): TestEvent => ({ type: timerFiredType, data: { name } });

/** What became of the events, as `then` shows it. */
export interface Result<State> {
  /** After the last event. */
  readonly state: State;
  /** The state's status, as the model describes it. */
  readonly status: string;
  /** All that the model says of the state; nothing of milestones until an event is applied. */
  readonly description: Description;
  /** What became of the last event of `when`. */
  readonly outcome: 'applied' | 'rejected';
  /** Why the last event of `when` was rejected; null where it was applied. */
  readonly reason: string | null;
  /** What the events of `when` have the instance send and publish, in order. */
  readonly sent: readonly Exclude<Effect, { kind: 'start-timer' | 'cancel-timer' }>[];
  /** The timers that run, by when they are due. */
  readonly timers: readonly {
    /** The timer's name. */
    readonly name: string;
    /** When it fires: RFC 3339 in UTC. */
    readonly dueAt: string;
  }[];
  /** The status after each event of `when`. */
  readonly statuses: readonly string[];
}

/** The events that a test starts from; then `when` says what happens. */
export interface Given<State> {
  /**
   * Applies one or more events, in order; any of them may be rejected.
   *
   * @param events the events, at least one.
   * @returns The result, for `then`.
   * @throws MilepostError `model-fault` when the model's code fails.
   */
  when(...events: readonly [TestEvent, ...TestEvent[]]): When<State>;
}

/** The same, before it is said what a test starts from. */
export interface GivenModel<State> extends Given<State> {
  /**
   * Starts from the state that a version of the model left, which tests the model's `migrate`:
   * `given(model).state(old, { version: 1 }).when(...)`.
   *
   * @param state the old state, which stays unchanged.
   * @param left the version of the model that left the state.
   * @returns The start of the test, for `when`.
   * @throws MilepostError `model-fault` when `migrate` or `describe` fails on it, and Error where there
   *   are events of `given` too.
   */
  state(
    state: unknown,
    left: {
      /** The version's number. */
      readonly version: number;
    },
  ): Given<State>;
}

/** What happened; then `then` looks at what came of it. */
export interface When<State> {
  /**
   * Calls `look` at once with what came of it: expectations go there.
   *
   * @param look the function that checks the result.
   */
  then(look: (result: Result<State>) => void): void;
}

/**
 * Tests a model without AWS: `given(model, ...events).when(...events).then(look)`.
 *
 * @param model the model under test.
 * @param events what happened before; each has to be taken, or it is no starting point.
 * @returns The start of the test, for `when`.
 * @throws Error when an event of `given` is rejected, and MilepostError
 *   `model-fault` when the model's code fails.
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
  const before = fold(plain, undefined, events, 0);
  const refused = before.find((s) => s.outcome === 'rejected');
  if (refused) throw new Error(`given: ${refused.event.type} is rejected: ${refused.reason}`);
  return {
    ...from<State>(plain, before.at(-1)?.after, events.length),
    state(state, { version }) {
      if (events.length > 0) throw new Error('given: it starts from a state, or from events');
      // What the test has in its hands stays as it is.
      return from(plain, migrateState(plain, structuredClone(state), version), 0);
    },
  };
}

function from<State>(model: Model, start: Snapshot | undefined, firstIndex: number): Given<State> {
  return {
    when(...happened) {
      const steps = fold(model, start, happened, firstIndex);
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
  firstIndex: number,
): FoldStep[] {
  const steps: FoldStep[] = [];
  for (const [index, event] of events.entries()) {
    const before = steps.at(-1)?.after ?? start;
    const whole =
      event.type === timerFiredType
        ? toFiring(model, event, before)
        : toEvent(model, event, firstIndex + index);
    steps.push(foldEvent(model, before, whole));
  }
  return steps;
}

/** Instance `test` of the model gets every event. */
const transaction = 'test';

function toEvent(model: Model, event: TestEvent, index: number): TrackedEvent {
  return {
    model: model.id,
    transaction,
    id: event.id ?? `event-${index}`,
    source: event.source ?? testSourceOf(event.type, event.data, 'test'),
    type: event.type,
    time: event.time ?? toIso(Date.UTC(2026, 0, 1) + index * 1000),
    data: event.data === undefined ? {} : event.data,
  };
}

/** The event of a timer that runs, as Milepost's clock would send it. */
function toFiring(model: Model, event: TestEvent, before: Snapshot | undefined): TrackedEvent {
  const { name } = (event.data ?? {}) as { name?: string };
  const timer = before?.timers.find((each) => each.name === name);
  if (!timer) throw new Error(`no timer ${JSON.stringify(name)} runs`);
  const key = { model: model.id, transaction };
  const { id, source, type, time, data } = timerEvent(key, timer) as unknown as TrackedEvent;
  return { ...key, id, source, type, time: event.time ?? time, data };
}
