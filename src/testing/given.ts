import type { Description } from '../core/description.ts';
import type { TrackedEvent } from '../core/event.ts';
import { type Snapshot, type Step, step } from '../core/fold.ts';
import type { Json } from '../core/json.ts';
import type { EventSchemas, Model } from '../core/model.ts';
import { toIso } from '../core/time.ts';

/** An event as a test writes it: its type and data, and the rest where it matters. */
export interface TestEvent {
  readonly type: string;
  readonly data?: Json;
  readonly id?: string;
  readonly source?: string;
  /** When it happened, RFC 3339; one second after the event before it where left out. */
  readonly time?: string;
}

/** What became of the events, as `then` shows it. */
export interface Result<State> {
  readonly state: State;
  readonly status: string;
  readonly description: Description;
  /** What became of the last event of `when`. */
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  /** The status after each event of `when`. */
  readonly statuses: readonly string[];
}

/** The events that a test starts from; then `when` says what happens. */
export interface Given<State> {
  when(...events: readonly [TestEvent, ...TestEvent[]]): When<State>;
}

/** What happened; then `then` looks at what came of it. */
export interface When<State> {
  then(look: (result: Result<State>) => void): void;
}

/**
 * Tests a model without AWS: `given(model, ...events).when(...events).then(look)`.
 *
 * @param events what happened before; each has to be taken, or it is no starting point.
 * @throws Error when an event of `given` is rejected, and MilepostError
 *   `model-fault` when the model's code fails.
 */
export function given<State, Events extends EventSchemas>(
  model: Model<State, Events>,
  ...events: readonly TestEvent[]
): Given<State> {
  const plain = model as unknown as Model;
  const before = fold(plain, undefined, events, 0);
  const refused = before.find((s) => s.outcome === 'rejected');
  if (refused) throw new Error(`given: ${refused.event.type} is rejected: ${refused.reason}`);
  return {
    when(...happened) {
      const steps = fold(plain, before.at(-1)?.after, happened, events.length);
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
): Step[] {
  const steps: Step[] = [];
  for (const [index, event] of events.entries())
    steps.push(
      step(model, steps.at(-1)?.after ?? start, toEvent(model, event, firstIndex + index)),
    );
  return steps;
}

function toEvent(model: Model, event: TestEvent, index: number): TrackedEvent {
  return {
    model: model.id,
    transaction: 'test',
    id: event.id ?? `event-${index}`,
    source: event.source ?? 'test',
    type: event.type,
    time: event.time ?? toIso(Date.UTC(2026, 0, 1) + index * 1000),
    data: event.data ?? {},
  };
}
