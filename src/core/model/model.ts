import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { DeadlineFacts } from '../deadline/deadline-times.ts';
import type { Effect } from '../effects/effect.ts';
import type { TrackedEvent } from '../event/event.ts';
import type { Sensitive } from '../personal-data/sensitive.ts';
import type { Description, Diagram, Keys, Milestone } from './description.ts';
import type { Labels } from './labels.ts';

/**
 * The schemas for the data in a model's events, by event type. A schema can come from Zod, Valibot, or any library that
 * implements Standard Schema.
 */
export interface EventSchemas extends Readonly<Record<string, StandardSchemaV1>> {}

/** An event as a model receives it. The data is validated and has the type that the schema declares. */
export type EventOf<Events extends EventSchemas> = {
  [Type in keyof Events & string]: Omit<TrackedEvent, 'type' | 'data'> & {
    /** The event's type, such as `tickets.reserved`. */
    readonly type: Type;
    /** The data, as returned by the schema of this event type. */
    readonly data: StandardSchemaV1.InferOutput<Events[Type]>;
  };
}[keyof Events & string];

/** The result of a transition: the next state and effects, or the reason for rejecting the event. */
export type Decision<State> =
  | {
      /** Accepts the event: it is applied, and the state changes. */
      readonly accepted: true;
      /** The next state, which must be JSON. */
      readonly state: State;
      /** The effects to run after the commit, in order. */
      readonly effects?: readonly Effect[];
    }
  | {
      /** Rejects the event: the history records it, and the state does not change. */
      readonly accepted: false;
      /** The reason, which the history shows. */
      readonly reason: string;
    };

/**
 * Accepts the event, with the next state and the effects to run.
 *
 * @param state the instance's next state.
 * @param effects the effects to run after the commit, in order.
 * @returns the decision, which `transition` returns.
 *
 * @example
 * accept({ queue: 3 }, notify('QueueChanged', { queue: 3 }));
 */
export const accept = <State>(state: State, ...effects: readonly Effect[]): Decision<State> => ({
  accepted: true,
  state,
  effects,
});

/**
 * Rejects the event with a reason. The state does not change.
 *
 * @param reason the reason, which the history shows.
 * @returns the decision, which `transition` returns.
 *
 * @example
 * reject('there are only 3 tickets left');
 */
export const reject = (reason: string): Decision<never> => ({ accepted: false, reason });

/** Information that a transition receives in addition to the event and the state. */
export interface TransitionContext {
  /** True for the instance's first event. The state is then the result of `initial`. */
  readonly first: boolean;
  /**
   * When the event's commit is made, RFC 3339 in UTC. This time does not change when the history is folded again. If
   * the event's `time` is later, the producer's clock is ahead. In tests with `given`, the default is the event's
   * `time`.
   */
  readonly recordedAt: string;
}

/**
 * A kind of process: the events that it accepts, how each event changes the state, and how a state is described to
 * users. All functions must be pure: they must take times and ids from the event so that folding the same history again
 * results in the same state.
 */
export interface Model<State = unknown, Events extends EventSchemas = EventSchemas> {
  /** The model's id, which is the `modelid` of its events: 1 to 64 characters from `a-z`, `0-9`, and `-`. */
  readonly id: string;
  /**
   * The model's version, an integer of at least 1. Increase it if the code cannot continue from states that the
   * previous code stored, or if the history should distinguish the old code from the new.
   */
  readonly version: number;
  /** The model's display name. */
  readonly title: string;
  /** All statuses that `describe` can return. Each status has 1 to 256 characters. */
  readonly statuses: readonly string[];
  /** The milestones in the order they are expected; may be empty. */
  readonly milestones: readonly Milestone[];
  /** The event types that the model accepts, each with the schema of its data. */
  readonly events: Events;
  /** The diagram on the model's page: the statuses and the transitions between them. */
  readonly diagram?: Diagram | undefined;
  /**
   * Translations of the title, the statuses, and the milestones' labels for customer pages, by language and text:
   * `{ de: { Received: 'Eingegangen' } }`. Text without a translation appears untranslated.
   */
  readonly labels?: Labels | undefined;
  /**
   * Returns the state before the first event.
   *
   * @param event the first event.
   * @returns the state that the first event is applied to.
   */
  initial(event: TrackedEvent): State;
  /**
   * Applies an event to a state: `f(event, state) -> state'`.
   *
   * @param event the event to apply, with validated data.
   * @param state the instance's state before the event.
   * @param context whether the event is the instance's first event, and when it is recorded.
   * @returns the next state with its effects, or a rejection: see `accept` and `reject`.
   */
  transition(event: EventOf<Events>, state: State, context: TransitionContext): Decision<State>;
  /**
   * Describes a state: its status and the milestones' progress.
   *
   * @param state the instance's state.
   * @returns the status, the milestones' progress, and, for the customer page, a reference.
   */
  describe(state: State): Description;
  /**
   * Converts a state that another version of the model stored, before the instance's next event is folded. Without
   * `migrate`, the state is used unchanged. The function must be pure. If it throws, the event is parked and the
   * instance does not change. Timers keep running.
   *
   * @param state the state that the other version stored; may be modified in place.
   * @param from the other version: lower than this model's version or, after a rollback, higher.
   * @returns the state for this version.
   */
  migrate?(state: unknown, from: number): State;
  /**
   * The fields with personal data. These fields are sealed with the instance's data key before they are stored, and are
   * lost when that key is destroyed (`milepost forget`). From then on, these fields are null, which the model must
   * accept. Statuses, references, keys, and timers are not sealed. The data in notifications and outgoing events is
   * sent unsealed.
   */
  readonly sensitive?: Sensitive | undefined;
  /**
   * Returns the facts that `describe` passes to `deadlineTimes`. Milepost uses the facts only to show deadlines on the
   * instance page, as bars with pauses and closed hours.
   *
   * @param state the instance's state.
   * @returns each deadline's facts, by milestone id.
   */
  deadlines?(state: State): Readonly<Record<string, DeadlineFacts>>;
  /**
   * Returns an instance's business keys, such as a customer number. Lists can find the instance by its keys
   * (`key=customer:42`). At most 10 values are allowed in total, each with 1 to 256 characters.
   *
   * @param state the instance's state.
   * @returns one or more values for each key, by key name.
   */
  keys?(state: State): Keys;
}
