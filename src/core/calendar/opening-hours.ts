/** Opening hours, in milliseconds of local time since midnight of their date. `closes` may be on the next date. */
export interface OpeningHours {
  readonly opens: number;
  readonly closes: number;
}

const interval = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]|24(?=:00)):([0-5]\d)$/;

/** The length of a day without an offset change, in milliseconds. */
export const dayLength = 86_400_000;

/** Returns the rule that an interval violates, or undefined if it is valid. */
export function intervalViolation(text: string): string | undefined {
  if (!interval.test(text))
    return `must be an interval from 00:00 to 24:00, such as 09:00-17:00 or 22:00-06:00; got ${JSON.stringify(text)}`;
  const { opens, closes } = openingHours(text);
  return opens === closes
    ? `must not be empty; use 00:00-24:00 for a whole day; got ${text}`
    : undefined;
}

/** Parses a valid interval. An interval that ends before it starts, such as `22:00-06:00`, ends on the next date. */
export function openingHours(text: string): OpeningHours {
  const [fromHour, fromMinute, untilHour, untilMinute] = interval.exec(text)!.slice(1).map(Number);
  const opens = (fromHour! * 60 + fromMinute!) * 60_000;
  const closes = (untilHour! * 60 + untilMinute!) * 60_000;
  return { opens, closes: closes < opens ? closes + dayLength : closes };
}

/** Parses a date's valid intervals, and sorts them by opening time. */
export const openingHoursOf = (intervals: readonly string[]): OpeningHours[] =>
  intervals.map(openingHours).toSorted((a, b) => a.opens - b.opens);
