import type { Labels } from '../model/labels.ts';
import type { MilestoneDeadline } from './milestone-deadline.ts';
import type { ProcessState } from './state.ts';

/** A milestone of a process: a step that a customer waits for, and the event that reaches it. */
export interface ProcessMilestone {
  /** Identifies the milestone in events, the history, and the API. */
  readonly id: string;
  /** The display name, which is also the status of the process while this is the furthest milestone reached. */
  readonly label: string;
  /** The event type that reaches the milestone. Default: `milestone.reached` with the data `{ milestone: id }`. */
  readonly on?: string | undefined;
  /**
   * The time from the instance's first event until the milestone becomes late: an ISO 8601 duration, such as `PT48H` or
   * `P7D`. Shorthand for `deadline: { within }`.
   */
  readonly expectedWithin?: string | undefined;
  /**
   * The deadline after which the milestone is late. The deadline can have a calendar and pauses. Default: none, so the
   * milestone is never late.
   */
  readonly deadline?: MilestoneDeadline | undefined;
  /** True if a process can be completed without this milestone. Default: false. */
  readonly optional?: boolean | undefined;
}

/** A process's declaration: its milestones and the events that reach them. */
export interface ProcessDeclaration {
  /** The process's id, which is the `modelid` of its events: 1 to 64 characters from `a-z`, `0-9`, and `-`. */
  readonly id: string;
  /** The process's display name. Default: derived from the id. */
  readonly title?: string | undefined;
  /** The process's version, an integer of at least 1. Default: 1. */
  readonly version?: number | undefined;
  /** The milestones in the order they are expected. At least one milestone must not be optional. */
  readonly milestones: readonly ProcessMilestone[];
  /** The event type that cancels the process. The event's data can contain a reason: `{ reason }`. */
  readonly cancelOn?: string | undefined;
  /**
   * The event type that extends a deadline. The event's data is `{ milestone, by }` with an ISO 8601 duration to add,
   * or `{ milestone, until }` with the new deadline.
   */
  readonly extendOn?: string | undefined;
  /**
   * The event data that the state keeps in `kept`, as JSON Pointers by name, such as `/data/tier`. If several events
   * contain a value, the value with the latest event time applies.
   */
  readonly keep?: Readonly<Record<string, string>> | undefined;
  /**
   * The name in `keep` of the reference that the customer page shows, such as an order number. A reference is a string
   * of 1 to 256 characters or a number; other values are not shown.
   */
  readonly reference?: string | undefined;
  /**
   * Translations of the title, the labels, and the statuses `Open` and `Cancelled` for customer pages, by language and
   * text: `{ de: { Paid: 'Bezahlt' } }`.
   */
  readonly labels?: Labels | undefined;
  /**
   * Converts the state that another version of the process stored, like a model's `migrate`. The function is needed
   * only if milestones' ids changed or new milestones should count as reached. By default, a new milestone is not
   * reached and a removed milestone is not shown.
   *
   * @param state the state that the other version stored.
   * @param from the number of the other version.
   * @returns the state for this version.
   */
  migrate?(state: ProcessState, from: number): ProcessState;
}

/** The type of the events that reach milestones without an `on`. */
export const milestoneReachedType = 'milestone.reached';

/** Returns a milestone's deadline; undefined if it has none. */
export const deadlineOf = ({
  expectedWithin,
  deadline,
}: ProcessMilestone): MilestoneDeadline | undefined =>
  expectedWithin === undefined ? deadline : { within: expectedWithin };
