import type { DeadlineExtension } from '../deadline/deadline-times.ts';
import type { Json } from '../json/json.ts';

/** The state of a process. Times are RFC 3339 in UTC. */
export interface ProcessState {
  /** The earliest time of an applied event. */
  readonly started_at: string;
  /** When each milestone was reached, by milestone id. */
  readonly reached: Readonly<Record<string, string>>;
  /** The due time of the timer that reported each late milestone, by milestone id. */
  readonly late?: Readonly<Record<string, string>>;
  /** The due time of the timer that reported each at-risk milestone, by milestone id. */
  readonly at_risk?: Readonly<Record<string, string>>;
  /** The times of the events that pause and resume deadlines, by event type, earliest first. */
  readonly pause_events?: Readonly<Record<string, readonly string[]>>;
  /** The extensions of deadlines, by milestone id, earliest first. */
  readonly extensions?: Readonly<Record<string, readonly DeadlineExtension[]>>;
  /** The data that the process keeps, by name. A promised time is named `due/` followed by the id of its milestone. */
  readonly kept?: Readonly<Record<string, Json>>;
  /** The times of the events that contained the kept data, by name. */
  readonly kept_at?: Readonly<Record<string, string>>;
  /** When and why the process was canceled; omitted if it was not canceled. */
  readonly cancelled?: {
    /** When the process was canceled. */
    readonly at: string;
    /** The `reason` in the event's data, if it is a string. */
    readonly reason?: string;
  };
}

/**
 * Returns a member of an object; undefined if there is none. Ignores inherited properties because names come from data
 * and can be, for example, `constructor`. The object is null if its personal data was forgotten.
 */
export function own<Value>(
  values: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/**
 * Returns true if an event was applied. The first applied event sets `reached`, `cancelled`, `pause_events`, or
 * `extensions`.
 */
export const hasStarted = ({ reached, cancelled, pause_events, extensions }: ProcessState) =>
  Object.keys(reached).length > 0 || [cancelled, pause_events, extensions].some(Boolean);
