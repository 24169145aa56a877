import type { Timer } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import type { InstanceTimes } from '../history/instance-times.ts';
import type { JsonChange } from '../json/json-changes.ts';

/** An event in a history, with its outcome. */
export interface RecordedEvent {
  /** The version of the commit that contains the event. */
  readonly version: number;
  /** When the commit that contains the event was made, RFC 3339 in UTC. */
  readonly at: string;
  readonly event: TrackedEvent;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  /** The status after the event. */
  readonly status: string;
  /** The state after the event, as JSON. */
  readonly state: string;
}

/** An instance as of its latest commit: the values that history entries do not contain, and the commit's version. */
export interface CurrentInstance {
  /** The version of the instance's latest commit. */
  readonly version: number;
  readonly done: boolean;
  readonly progress: number | null;
  readonly timers: readonly Pick<Timer, 'name' | 'dueAt'>[];
  /** The event times of the instance. Default: event times are not compared. */
  readonly times?: InstanceTimes;
}

/** Identifies an event in a history. */
export interface EventReference extends Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time'> {
  readonly version: number;
}

/**
 * The deviation of an event's outcome in the replay from the recorded outcome:
 *
 * - `rejected`: the event was applied, but would be rejected;
 * - `applied`: the event was rejected, but would be applied;
 * - `reason`: the event was rejected, and would be rejected for a different reason;
 * - `over`: the event was applied, but its timer would not be running.
 */
export type DeviationKind = 'rejected' | 'applied' | 'reason' | 'over';

/** An event whose outcome or reason for rejection differs in the replay. */
export interface Deviation {
  readonly turn: DeviationKind;
  readonly event: EventReference;
  /** The recorded reason for rejecting the event; null if the event was applied. */
  readonly before: string | null;
  /** The reason for rejecting the event in the replay; null if the event would be applied. */
  readonly after: string | null;
}

/** The current value, and the value after the replay. */
export interface ValueChange<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** A field of a state that is different after the replay. */
export interface FieldChange extends Omit<JsonChange, 'path'> {
  /** A JSON Pointer (RFC 6901); empty for the whole state. */
  readonly path: string;
}

/** The differences between the current state and the state after the replay. */
export interface StateChange {
  /** The first event after which the states differ. */
  readonly since: EventReference;
  /** The first differences in the final state, without values if the model has sensitive fields. */
  readonly changes: readonly FieldChange[];
  /** True if `changes` does not contain all differences. */
  readonly more: boolean;
}

/** The result of replaying an instance's history. */
export interface ReplayResult {
  readonly events: number;
  /** The first 20 of the deviations that `turns` counts. */
  readonly turned: readonly Deviation[];
  /** The number of deviations since the latest rebuild, which corrected all earlier deviations. */
  readonly turns: number;
  /** The event that the model fails on. Milepost would park this event, together with the `behind` events after it. */
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
  readonly times?: ValueChange<InstanceTimes>;
  /** True if there are differences, but the instance's destroyed personal data may be their only cause. */
  readonly isForgotten: boolean;
}

/** Returns true if there are differences that destroyed personal data does not explain. */
export const isDifferent = (replayed: ReplayResult) =>
  hasDifference(replayed) && !replayed.isForgotten;

/** Returns true if the replay differs from the history in any way. */
export const hasDifference = ({
  turns,
  fault,
  status,
  state,
  done,
  progress,
  timers,
  times,
}: ReplayResult) =>
  turns > 0 ||
  [fault, status, state, done, progress, timers, times].some((each) => each !== undefined);
