const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The rule for times, as quoted in messages about strings that `toUtc` rejects. */
export const requiredTime = 'an RFC 3339 date and time, such as 2026-01-31T17:00:00Z';

/** The last millisecond that RFC 3339 can represent, in milliseconds since 1970. */
export const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The maximum length of a fraction of a second, with the decimal point. */
const longestFraction = '.123456789'.length;

/**
 * A fast path that matches most times that are already in UTC. Leap days, leap seconds, and longer fractions take the
 * slow path.
 */
const inUtc =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/**
 * Converts an RFC 3339 date and time to UTC (`…Z`). A fraction of a second is truncated to nine digits. A leap second
 * becomes the following second. Returns undefined for any other text, including dates that do not exist, such as
 * `2026-02-30T00:00:00Z`, and leap seconds that are not at the end of a month in UTC, such as `2026-01-01T12:30:60Z`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.7
 */
export function toUtc(text: string): string | undefined {
  if (inUtc.test(text)) return text;
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.map(Number);
  const fraction = match[7]?.slice(0, longestFraction) ?? '';
  const offsetMinutes = match[8]
    ? (match[8] === '-' ? -1 : 1) * (Number(match[9]) * 60 + Number(match[10]))
    : 0;
  if (Number(match[9] ?? 0) > 23 || Number(match[10] ?? 0) > 59) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute - offsetMinutes, second);
  if (second === 60 && !isStartOfMonth(date)) return undefined;
  if (date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return undefined;
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

/** Returns true if a text is an existing date, such as `2026-12-25`. Unlike `Date.parse`, rejects February 30. */
export const isDate = (text: string): boolean => toUtc(`${text}T00:00:00Z`) !== undefined;

const isStartOfMonth = (date: Date): boolean =>
  date.getUTCDate() === 1 && date.getTime() % 86_400_000 === 0;

/**
 * Converts an RFC 3339 time to milliseconds since 1970.
 *
 * @throws RangeError if the text is not a time.
 */
export function unixMilliseconds(time: string): number {
  const milliseconds = Date.parse(time);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new RangeError(`a time must be ${requiredTime}; got ${JSON.stringify(time)}`);
}

/**
 * Converts an RFC 3339 time to whole seconds since 1970 (Unix time).
 *
 * @param utc an RFC 3339 time.
 * @returns the time in seconds, rounded down.
 * @throws RangeError if the text is not a time.
 *
 * @example
 * unixSeconds('2026-01-01T00:00:00.900Z'); // 1767225600
 */
export function unixSeconds(utc: string): number {
  return Math.floor(unixMilliseconds(utc) / 1000);
}

/** Formats milliseconds since 1970 as RFC 3339 in UTC, to the millisecond. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
