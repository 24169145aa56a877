import { toIso } from '../time/timestamp.ts';

const minute = 60_000;

/** How many events were applied or rejected in a minute. */
export interface MinuteCount {
  /** When the minute began, RFC 3339 in UTC. */
  readonly minute: string;
  readonly events: number;
}

/** When the minute of a moment began, RFC 3339 in UTC. */
export const minuteOf = (at: string) => `${at.slice(0, 16)}:00.000Z`;

/**
 * Every one of the last minutes, the oldest first and the one that still runs last, with its events.
 *
 * @param counts in any order, a minute more than once perhaps.
 * @param now milliseconds since 1970.
 */
export function lastMinutes(
  counts: readonly MinuteCount[],
  length: number,
  now: number,
): MinuteCount[] {
  const known = new Map<string, number>();
  for (const { minute: at, events } of counts) known.set(at, (known.get(at) ?? 0) + events);
  return Array.from({ length }, (_, index) => {
    const at = minuteOf(toIso(now - (length - 1 - index) * minute));
    return { minute: at, events: known.get(at) ?? 0 };
  });
}
