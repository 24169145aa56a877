import type { Timer } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import type { JsonChange } from '../json/json-changes.ts';

/** An event as a history has it, with what became of it. */
export interface RecordedEvent {
  /** The commit that applied it. */
  readonly version: number;
  readonly event: TrackedEvent;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  /** After it. */
  readonly status: string;
  /** After it, as JSON. */
  readonly state: string;
}

/** What else is known of an instance as it is now. */
export interface CurrentInstance {
  /** The commit that left it so. */
  readonly version: number;
  readonly done: boolean;
  readonly progress: number | null;
  readonly timers: readonly Pick<Timer, 'name' | 'dueAt'>[];
}

/** Which event of a history. */
export interface EventReference extends Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time'> {
  readonly version: number;
}

/**
 * How an event would fare otherwise:
 *
 * - `rejected`: it was applied; `applied`: it was rejected;
 * - `reason`: it is rejected as it was, for another reason;
 * - `over`: it is a timer's, which was applied and would not run then.
 */
export type DeviationKind = 'rejected' | 'applied' | 'reason' | 'over';

/** An event that would fare otherwise. */
export interface Deviation {
  readonly turn: DeviationKind;
  readonly event: EventReference;
  /** Why it was rejected; null where it was not. */
  readonly before: string | null;
  /** Why it would be; null where it would not. */
  readonly after: string | null;
}

/** Two values of something. */
export interface ValueChange<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** A place in a state at which it would be another one. */
export interface FieldChange extends Omit<JsonChange, 'path'> {
  /** A JSON Pointer (RFC 6901); empty for the whole state. */
  readonly path: string;
}

/** A state that would be another one. */
export interface StateChange {
  /** The first event after which it would. */
  readonly since: EventReference;
  /** Where, in the end: the first places, without values where the model has personal data. */
  readonly changes: readonly FieldChange[];
  /** Whether there are more. */
  readonly more: boolean;
}

/** What folding an instance's history again came to. */
export interface ReplayResult {
  readonly events: number;
  /** The first of the events that would fare otherwise. */
  readonly turned: readonly Deviation[];
  /** How many would. */
  readonly turns: number;
  /** The event that the model fails on: it would be parked, and `behind` events with it. */
  readonly fault?: {
    readonly event: EventReference;
    readonly reason: string;
    readonly behind: number;
  };
  readonly status?: ValueChange<string>;
  readonly state?: StateChange;
  readonly done?: ValueChange<boolean>;
  readonly progress?: ValueChange<number | null>;
  readonly timers?: ValueChange<CurrentInstance['timers']>;
  /** Whether its personal data is destroyed, so that it cannot fold as it did. */
  readonly isForgotten: boolean;
}

/** Whether anything would be otherwise that may be held against what was. */
export const isDifferent = (replayed: ReplayResult) =>
  hasDifference(replayed) && !replayed.isForgotten;

/** Whether anything would be otherwise. */
export const hasDifference = ({
  turns,
  fault,
  status,
  state,
  done,
  progress,
  timers,
}: ReplayResult) =>
  turns > 0 || [fault, status, state, done, progress, timers].some((each) => each !== undefined);
