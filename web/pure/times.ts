/* Functions that format times for display. */

import { locale } from './locale.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Formats a time relative to now, such as `just now`, `2 min ago`, or `in 3 h`.
 *
 * @param at RFC 3339.
 * @param now milliseconds since 1970.
 */
export function relative(at: string, now: number): string {
  const passed = now - Date.parse(at);
  const long = Math.abs(passed);
  if (long < 5 * second) return 'just now';
  return passed < 0 ? `in ${remaining(long)}` : `${roughly(long)} ago`;
}

/** Formats a duration that is given in seconds, such as `0.4 s`, `12 s`, or `5 min`. */
export function length(seconds: number): string {
  return seconds < 10 ? `${Number(seconds.toPrecision(2))} s` : roughly(1000 * seconds);
}

/** Formats the time that has passed since a moment, such as `2 days`. */
export const lasting = (since: string, now: number): string =>
  roughly(Math.max(0, now - Date.parse(since)));

/**
 * Formats the time until a moment, in milliseconds, such as `30 days`. The time is rounded, because it ends at a moment
 * that the reader knows: immediately after a link for 30 days is created, it is valid for 30 days, not for 29.
 */
export const remaining = (ms: number): string => roughly(ms, Math.round);

function roughly(ms: number, round = Math.floor): string {
  if (round(ms / second) < 60) return `${round(ms / second)} s`;
  if (round(ms / minute) < 60) return `${round(ms / minute)} min`;
  if (round(ms / hour) < 48) return `${round(ms / hour)} h`;
  if (round(ms / day) < 365) return `${round(ms / day)} days`;
  const years = round(ms / (365 * day));
  return years === 1 ? '1 year' : `${years} years`;
}

/**
 * Formats the time left until a moment, to the second, such as `1 d 02:03:04` or `02:09`. Returns undefined if no time
 * is left.
 *
 * @param at RFC 3339.
 * @param now milliseconds since 1970.
 */
export function countdown(at: string, now: number): string | undefined {
  const left = Math.ceil((Date.parse(at) - now) / second);
  if (left <= 0) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(left / 86_400);
  const hours = Math.floor(left / 3600) % 24;
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${rest}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}

/** Formats the hour and minute of a time in the reader's time zone. */
export const timeOfDay = (at: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(at));

/**
 * The formatters by language and time zone. They are reused because creating one is slow, and a page with many charts
 * formats thousands of times.
 */
const formats: Record<string, Intl.DateTimeFormat> = {};

/**
 * Formats a time to the second in the reader's time zone, with the time zone.
 *
 * @param at RFC 3339.
 * @param zone an IANA time zone; default: the reader's time zone.
 * @param language default: the reader's variety of English.
 */
export function exact(at: string, zone?: string, language = locale): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const format = (formats[`${language} ${zone}`] ??= new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: zone,
  }));
  return format.format(moment);
}
