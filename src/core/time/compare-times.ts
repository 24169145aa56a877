/**
 * Compares two RFC 3339 times in UTC, to the nanosecond. The result is negative if `a` is earlier, positive if `a` is
 * later, and 0 if they are the same moment, even if their numbers of fractional digits differ.
 */
export function compareTimes(a: string, b: string): number {
  const [first, second] = [sortable(a), sortable(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Returns the earlier of two RFC 3339 times in UTC. */
export const earlierTime = (a: string, b: string): string => (compareTimes(b, a) < 0 ? b : a);

/** Returns the later of two RFC 3339 times in UTC. */
export const laterTime = (a: string, b: string): string => (compareTimes(b, a) > 0 ? b : a);

const secondsLength = 'YYYY-MM-DDThh:mm:ss'.length;

const sortable = (utc: string) =>
  utc.slice(0, secondsLength) + utc.slice(secondsLength + 1, -1).padEnd(9, '0');
