import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Effect } from '../effects/effect.ts';
import { MilepostError } from '../errors.ts';
import { modelIdPattern, type TrackedEvent } from '../event/event.ts';
import type { Keys } from '../event/keys.ts';
import { sensitiveViolation } from '../personal-data/check-sensitive.ts';
import type { Sensitive, SensitiveIn } from '../personal-data/sensitive.ts';
import type { DescribeOf, DiagramOf } from './declared-names.ts';
import type { Description, Diagram, Milestone } from './description.ts';

/** The data schemas of a model's events, by event type: zod, valibot or any Standard Schema. */
export type EventSchemas = Readonly<Record<string, StandardSchemaV1>>;

/** An event as a model sees it: its data checked, and typed by the schema of its type. */
export type EventOf<Events extends EventSchemas> = {
  [Type in keyof Events & string]: Omit<TrackedEvent, 'type' | 'data'> & {
    /** What happened. */
    readonly type: Type;
    /** The data as the schema of the type returns it. */
    readonly data: StandardSchemaV1.InferOutput<Events[Type]>;
  };
}[keyof Events & string];

/** What a transition decides: the next state and effects, or a reason why the event is not taken. */
export type Decision<State> =
  | {
      /** The event is applied. */
      readonly accepted: true;
      /** The next state. */
      readonly state: State;
      /** What happens after the commit, in order. */
      readonly effects?: readonly Effect[];
    }
  | {
      /** The event is rejected. */
      readonly accepted: false;
      /** Why, for people. */
      readonly reason: string;
    };

/**
 * The event is taken: this is the state after it, and these effects are to be done.
 *
 * @param state the instance's next state.
 * @param effects what happens after the commit, in order.
 * @returns The decision, for a transition to return.
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
 * The event is not taken, for this reason in words; the state stays as it was.
 *
 * @param reason why, for people; the history shows it.
 * @returns The decision, for a transition to return.
 *
 * @example
 * reject('there are only 3 tickets left');
 */
export const reject = (reason: string): Decision<never> => ({ accepted: false, reason });

/** What a transition may know besides the event and the state. */
export interface TransitionContext {
  /** True for the first event of the instance, whose state is still `initial`. */
  readonly first: boolean;
}

/**
 * A kind of process: which events it takes, how each changes the state, and
 * what the state means to people. All of it is pure: the time and the ids that
 * it needs are on the event, so that folding the same history again gives the
 * same state.
 */
export interface Model<State = unknown, Events extends EventSchemas = EventSchemas> {
  /** 1 to 64 of `a-z`, `0-9` and `-`: an event's `modelid`. */
  readonly id: string;
  /**
   * Which version of the model this is; a whole number from 1. It is raised where the code cannot go on
   * with the states that the code before it left, or where history is to tell the two apart.
   */
  readonly version: number;
  /** The model's name for people. */
  readonly title: string;
  /** Every status that `describe` can give. */
  readonly statuses: readonly string[];
  /** The milestones, in the order in which they are expected; may be none. */
  readonly milestones: readonly Milestone[];
  /** The event types it takes, each with the schema of its data. */
  readonly events: Events;
  /** How the statuses follow each other, for people. */
  readonly diagram?: Diagram;
  /**
   * The state before the first event.
   *
   * @param event the first event.
   * @returns The state that the first event is applied to.
   */
  initial(event: TrackedEvent): State;
  /**
   * `f(e, m) -> m'`.
   *
   * @param event the event to apply, with its data checked.
   * @param state the instance's state before the event.
   * @param context facts about the instance besides its state.
   * @returns The next state with its effects, or a rejection: see `accept` and `reject`.
   */
  transition(event: EventOf<Events>, state: State, context: TransitionContext): Decision<State>;
  /**
   * What a state means to people.
   *
   * @param state the instance's state.
   * @returns Its status, milestones and texts.
   */
  describe(state: State): Description;
  /**
   * Takes over the state of an instance that another version of the model left, before the instance's
   * next event is folded; where it is left out, such a state is taken as it is. It is pure too. What it
   * throws parks the event, and the instance stays as it was. Timers run on as they were started.
   *
   * @param state as the other version left it; it may be changed in place.
   * @param from that version: a lower one than this model's, or, after a rollback, a higher one.
   * @returns The state as this version needs it.
   */
  migrate?(state: unknown, from: number): State;
  /**
   * Which fields are personal: they are stored sealed with a key of the instance's own, and are gone once it
   * is destroyed (`milepost forget`). A model has to bear that they are null then. What it says in its
   * statuses, keys, timers, notifications and events for others is not sealed.
   */
  readonly sensitive?: Sensitive;
  /**
   * What business calls an instance by, such as a customer number: lists find it by that
   * (`key=customer:42`). At most 10, each of 1 to 256 characters.
   *
   * @param state the instance's state.
   * @returns The values by the names of the keys.
   */
  keys?(state: State): Keys;
}

/** The parts of a model that `defineModel` defaults, or checks against each other while the model compiles. */
type CheckedByName = 'version' | 'statuses' | 'milestones' | 'diagram' | 'describe' | 'sensitive';

/**
 * Declares a model. It is checked here, once, so that a mistake shows when the
 * code is loaded and not with the first event. A status or milestone in `describe` that is not declared does
 * not compile, unless its name is computed at run time.
 *
 * @param model the members of `Model`; `version` is 1 and `milestones` are none by default.
 * @returns The model, for `serve`.
 * @throws MilepostError `bad-model` with what is wrong.
 *
 * @example
 * import * as v from 'valibot';
 *
 * export const door = defineModel({
 *   id: 'door',
 *   title: 'A door',
 *   statuses: ['Closed', 'Open'],
 *   events: { 'door.opened': v.object({}), 'door.closed': v.object({}) },
 *   initial: () => ({ isOpen: false }),
 *   transition(event, { isOpen }) {
 *     const opens = event.type === 'door.opened';
 *     return opens === isOpen ? reject('it is so already') : accept({ isOpen: opens });
 *   },
 *   describe: ({ isOpen }) => ({ status: isOpen ? 'Open' : 'Closed' }),
 * });
 */
export function defineModel<
  State,
  const Events extends EventSchemas,
  const Marked extends Sensitive = Sensitive,
  const Status extends string = string,
  const MilestoneId extends string = string,
  Shown extends string = Status,
  Mentioned extends string = MilestoneId,
  const Node extends string = string,
  const End extends string = Node,
>(
  model: Omit<Model<State, Events>, CheckedByName> & {
    readonly version?: number;
    readonly statuses: readonly Status[];
    readonly milestones?: readonly (Milestone & { readonly id: MilestoneId })[];
    readonly diagram?: DiagramOf<Node, End>;
    readonly describe: DescribeOf<
      State,
      { readonly status: NoInfer<Status>; readonly milestone: NoInfer<MilestoneId> },
      Shown,
      Mentioned
    >;
    readonly sensitive?: Marked & SensitiveIn<NoInfer<State>, Marked>;
  },
): Model<State, Events> {
  // Where this is called, the compiler takes no `describe` that is anything but a function.
  const complete = { version: 1, milestones: [], ...model } as unknown as Model<State, Events>;
  const wrong = modelViolation(complete);
  if (wrong) throw new MilepostError('bad-model', `model ${JSON.stringify(model.id)}: ${wrong}`);
  return complete;
}

function modelViolation({
  id,
  version,
  title,
  statuses,
  milestones,
  events,
  sensitive = {},
  diagram,
}: Omit<Model, 'transition' | 'describe' | 'initial' | 'keys' | 'migrate'>) {
  if (!modelIdPattern.test(id)) return 'its id must be 1 to 64 of a-z, 0-9 and -';
  if (!Number.isSafeInteger(version) || version < 1)
    return 'its version must be a whole number from 1';
  if (title === '') return 'it has no title';
  if (statuses.length === 0) return 'it has no statuses';
  const names = [
    ...statuses,
    ...milestones.flatMap((milestone) => [milestone.id, milestone.label]),
  ];
  if (names.some((name) => name === '' || name.length > 256))
    return 'each status, milestone and label must have 1 to 256 characters';
  const twice = repeated(statuses) ?? repeated(milestones.map((milestone) => milestone.id));
  if (twice !== undefined) return `${JSON.stringify(twice)} is there twice`;
  if (Object.keys(events).length === 0) return 'it takes no events';
  const bare = Object.keys(events).find((type) => !events[type]?.['~standard']);
  if (bare !== undefined) return `the data of ${bare} has no Standard Schema`;
  const wrong = sensitiveViolation(sensitive, events);
  if (wrong) return wrong;
  const nodes = new Set(diagram?.nodes.map((node) => node.id));
  const loose = diagram?.edges.find((edge) => !nodes.has(edge.from) || !nodes.has(edge.to));
  if (loose) return `its diagram has no node at an end of ${loose.from} -> ${loose.to}`;
  return undefined;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
