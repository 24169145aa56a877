import type { Calendar } from '../calendar/calendar.ts';
import { compareTimes, laterTime } from '../time/compare-times.ts';
import { toIso, unixMilliseconds } from '../time/timestamp.ts';
import { type CountedTime, countedTimeOf } from './counted-time.ts';
import type { Pause } from './pauses.ts';

/**
 * A change to a deadline that an event from a person or a system requests: additional time, or a new deadline. Times
 * are RFC 3339 in UTC.
 */
export type DeadlineExtension = {
  /** The time of the event that extended the deadline. */
  readonly time: string;
} & (
  | {
      /** The time to add: an ISO 8601 duration. If the deadline has a calendar, open time is added. */
      readonly by: string;
    }
  | {
      /** The new deadline, which replaces all earlier extensions. Pauses before `time` do not move this deadline. */
      readonly until: string;
    }
);

/** The facts that determine a deadline: see `deadlineTimes`. Times are RFC 3339 in UTC. */
export interface DeadlineFacts {
  /** When the deadline starts to run. Default: the deadline has not started. */
  readonly start?: string | undefined;
  /**
   * The time from the start until the deadline: an ISO 8601 duration. Default: no deadline until an extension with
   * `until` sets one.
   */
  readonly within?: string | undefined;
  /** The calendar whose open time counts. Default: elapsed time, with days of 24 hours. */
  readonly calendar?: Calendar | undefined;
  /**
   * The share of the time from the start to the deadline after which the milestone is at risk, between 0 and 1.
   * Default: never at risk.
   */
  readonly warnAt?: number | undefined;
  /** The pauses, earliest first: see `pausesBetween`. */
  readonly pauses?: readonly Pause[] | undefined;
  /** The extensions, in any order. */
  readonly extensions?: readonly DeadlineExtension[] | undefined;
}

/** A deadline's times, with the same names as in `MilestoneProgress`. Times are RFC 3339 in UTC, to the millisecond. */
export interface DeadlineTimes {
  /** When the milestone is expected; omitted if there is no deadline or while the deadline is paused. */
  readonly expectedBy?: string;
  /**
   * When the milestone becomes at risk. Omitted without `warnAt`, if no time counts between the start and the deadline,
   * or during a pause that began at or before this time.
   */
  readonly atRiskAt?: string;
  /** True while the deadline is paused. */
  readonly paused?: true;
}

/**
 * Computes a deadline's times from all facts about it. The result depends only on these facts, not on the order in
 * which their events arrived.
 *
 * The deadline is `start` plus `within`. The extensions then change it, earliest first. Finally, the time that counts
 * during the pauses is added, except the part before the latest extension with `until`. A pause that begins after the
 * deadline has no effect.
 *
 * @param facts the start, the time until the deadline, the pauses, and the extensions.
 * @returns the times to include in a milestone that `describe` returns; empty if there is no deadline or its start is
 *   not known.
 * @throws RangeError for an invalid time or duration.
 *
 * @example
 * deadlineTimes({ start: '2026-01-05T09:00:00Z', within: 'PT8H', warnAt: 0.75 });
 * // { expectedBy: '2026-01-05T17:00:00.000Z', atRiskAt: '2026-01-05T15:00:00.000Z' }
 */
export function deadlineTimes(facts: DeadlineFacts): DeadlineTimes {
  const { start, within, calendar, warnAt, pauses = [], extensions = [] } = facts;
  if (start === undefined) return {};
  const counted = countedTimeOf(calendar);
  const { due, since } = withoutPauses(counted, start, within, extensions);
  if (due === undefined) return {};
  const move = (moment: string) => withPauses(counted, moment, since, pauses);
  const expectedBy = move(due);
  const open = warnAt === undefined ? 0 : counted.between(start, due);
  // If no time counts between the start and the deadline, the milestone becomes late without being at risk first.
  const atRiskAt =
    open > 0 ? move(counted.add(start, seconds(Math.round(open * warnAt!)))) : undefined;
  return {
    ...(expectedBy === undefined ? { paused: true } : { expectedBy }),
    ...(atRiskAt === undefined ? {} : { atRiskAt }),
  };
}

/** Returns the deadline without pauses as `due`, and the time from which pauses count as `since`. */
function withoutPauses(
  counted: CountedTime,
  start: string,
  within: string | undefined,
  extensions: readonly DeadlineExtension[],
): { due: string | undefined; since: string } {
  let due = within === undefined ? undefined : counted.add(start, within);
  let since = start;
  for (const extension of extensions.toSorted(compareExtensions)) {
    if ('until' in extension) {
      due = toIso(unixMilliseconds(extension.until));
      since = laterTime(start, extension.time);
    } else if (due !== undefined) due = counted.add(due, extension.by);
  }
  return { due, since };
}

/**
 * Moves a time by the counted time of the pauses that begin at or before the moved time; returns undefined if one of
 * these pauses has not ended.
 */
function withPauses(
  counted: CountedTime,
  moment: string,
  since: string,
  pauses: readonly Pause[],
): string | undefined {
  let moved = moment;
  let [paused, added] = [0, 0];
  const addPauses = () => {
    if (paused > added) moved = counted.add(moment, seconds(paused));
    added = paused;
  };
  for (const { from, until } of pauses) {
    // With a calendar, adding time is slow, so add as many pauses as possible at once.
    if (compareTimes(from, moved) > 0) addPauses();
    if (compareTimes(from, moved) > 0) break;
    if (until === undefined) return undefined;
    paused += counted.between(laterTime(from, since), until);
  }
  addPauses();
  return moved;
}

/** Formats milliseconds as an ISO 8601 duration that a calendar counts as open time. */
const seconds = (milliseconds: number) => `PT${milliseconds / 1000}S`;

/**
 * Compares extensions for sorting: by time, earliest first. Extensions with the same time are sorted by content, so
 * their order does not depend on when they arrived.
 */
export function compareExtensions(a: DeadlineExtension, b: DeadlineExtension): number {
  return compareTimes(a.time, b.time) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}
