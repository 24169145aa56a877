// Use the Swedish locale because its date and time format resembles ISO 8601.
const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow' });

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The units, each with its length and the shortest time span for which it is used, in milliseconds. */
const units = [
  ['day', day, 2 * day],
  ['hour', hour, hour],
  ['minute', minute, minute],
] as const;

/** Formats an RFC 3339 time in the local time zone, to the second: `2026-11-21 07:04:05`. */
export function localTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : local.format(date);
}

/**
 * Formats a time relative to now: `3m ago`, `in 47h`. Like the web pages, uses days only for spans of at least two
 * days.
 */
export function relativeTime(time: string, now = Date.now()): string {
  const distance = Date.parse(time) - now;
  if (Number.isNaN(distance)) return time;
  for (const [unit, length, from] of units)
    if (Math.abs(distance) >= from) return relative.format(Math.trunc(distance / length), unit);
  return Math.abs(distance) < 1000 ? 'now' : relative.format(Math.trunc(distance / 1000), 'second');
}

/** Formats a time as an absolute and a relative time. */
export function timeWithDistance(time: string): string {
  return `${localTime(time)} (${relativeTime(time)})`;
}

/** Formats an ISO 8601 duration of days and smaller units: `1d 2h`. */
export const durationText = (duration: string): string =>
  [...duration.matchAll(/[\d.]+[DHMS]/g)].map(([part]) => part.toLowerCase()).join(' ');

/** Formats a share from 0 to 1 as a percentage, rounded down so that only a complete share is 100%. */
export function percent(share: number): string {
  // Add a small number because 0.29 * 100 is 28.999999999999996 and must become 29.
  return `${Math.floor(share * 100 + 1e-9)}%`;
}

/** Draws a share from 0 to 1 as a bar of the given width. */
export function bar(share: number, width: number): string {
  const filled = Math.floor(Math.min(Math.max(share, 0), 1) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** Formats a count with its noun, such as `1 event` or `2 events`. */
export const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Joins a message and the next step for the user, which starts a sentence if the message ends in a question. */
export const withNextStep = (message: string, step: string) =>
  message.endsWith('?')
    ? `${message} ${step.charAt(0).toUpperCase()}${step.slice(1)}`
    : `${message}; ${step}`;
