import type { Calendar } from '../calendar/calendar.ts';
import { earlierTime, laterTime } from '../time/compare-times.ts';
import { after } from '../time/duration.ts';
import { type DeadlineFacts, deadlineTimes } from './deadline-times.ts';
import type { Pause } from './pauses.ts';

/** A span of time. Times are RFC 3339 in UTC. */
export interface TimeSpan {
  readonly from: string;
  readonly until: string;
}

/** A deadline's timeline, which pages show as a bar from the start to the end. Times are RFC 3339 in UTC. */
export interface DeadlineTimeline {
  /** When the deadline starts to run. */
  readonly start: string;
  /**
   * The end of the bar: the deadline, or the time that the caller requested if that time is later or the deadline is
   * paused.
   */
  readonly end: string;
  /** The pauses, cut off at the start and the end. */
  readonly pauses: readonly TimeSpan[];
  /**
   * The spans between the start and the end during which the calendar is closed; empty without a calendar or if there
   * are more than 200 spans.
   */
  readonly closed: readonly TimeSpan[];
}

/** The maximum number of closed spans. More spans would be indistinguishable on a bar. */
const maximumClosed = 200;

/**
 * Returns a deadline's timeline; undefined if the deadline has not started or does not exist.
 *
 * @param facts the facts, as for `deadlineTimes`.
 * @param until the earliest end of the timeline: when the milestone was reached, or the current time; RFC 3339 in UTC.
 */
export function deadlineTimeline(
  facts: DeadlineFacts,
  until: string,
): DeadlineTimeline | undefined {
  const { start, calendar, pauses = [] } = facts;
  const { expectedBy, paused } = deadlineTimes(facts);
  if (start === undefined || (expectedBy === undefined && !paused)) return undefined;
  const end = laterTime(laterTime(expectedBy ?? start, until), start);
  return {
    start,
    end,
    pauses: pauses.flatMap((pause) => cutOff(pause, start, end)),
    closed: calendar ? closedSpans(calendar, start, end) : [],
  };
}

/**
 * Returns the spans during which a calendar is closed; empty if there are too many. A timeline can be thousands of
 * years long, so a list of all its open spans could be too large for memory. The searched period therefore doubles
 * until it reaches the end.
 */
function closedSpans(calendar: Calendar, start: string, end: string): readonly TimeSpan[] {
  for (let days = 366; ; days *= 2) {
    const until = earlierTime(end, after(start, `P${days}D`));
    const closed = gapsBetween(calendar.openIntervals(start, until), start, until);
    if (closed.length > maximumClosed) return [];
    if (until === end) return closed;
  }
}

function cutOff({ from, until }: Pause, start: string, end: string): TimeSpan[] {
  const span = { from: laterTime(from, start), until: earlierTime(until ?? end, end) };
  return Date.parse(span.from) < Date.parse(span.until) ? [span] : [];
}

function gapsBetween(open: readonly TimeSpan[], start: string, end: string): TimeSpan[] {
  const ends = [...open.map(({ from }) => from), end];
  const starts = [start, ...open.map(({ until }) => until)];
  return starts
    .map((from, index) => ({ from, until: ends[index]! }))
    .filter(({ from, until }) => Date.parse(from) < Date.parse(until));
}
