import { compareTimes } from '../time/compare-times.ts';

/** A span of time during which a deadline does not advance. Times are RFC 3339 in UTC. */
export interface Pause {
  /** When the pause began. */
  readonly from: string;
  /** When the pause ended; omitted if it has not ended. */
  readonly until?: string;
}

/**
 * Pairs the events that begin pauses with the events that end them, by time instead of the order of arrival. A pause
 * begins at a time in `from` and ends at the next time in `until`. Other times in `from` during the pause do not begin
 * another pause. Outside a pause, a time in `until` has no effect. If a time is in both lists, `from` comes first.
 *
 * @param from the times of the events that begin a pause, RFC 3339 in UTC.
 * @param until the times of the events that end a pause, RFC 3339 in UTC.
 * @returns the pauses, earliest first; they do not overlap.
 *
 * @example
 * pausesBetween(['2026-01-05T09:00:00Z'], ['2026-01-06T09:00:00Z']);
 * // [{ from: '2026-01-05T09:00:00Z', until: '2026-01-06T09:00:00Z' }]
 */
export function pausesBetween(from: readonly string[], until: readonly string[]): Pause[] {
  const events = [
    ...from.map((time) => ({ time, begins: true })),
    ...until.map((time) => ({ time, begins: false })),
  ].toSorted((a, b) => compareTimes(a.time, b.time));
  const pauses: Pause[] = [];
  let began: string | undefined;
  for (const { time, begins } of events) {
    if (begins) began ??= time;
    else if (began !== undefined) {
      pauses.push({ from: began, until: time });
      began = undefined;
    }
  }
  return began === undefined ? pauses : [...pauses, { from: began }];
}
