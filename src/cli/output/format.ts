import { isUtf8 } from 'node:buffer';

const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const unsafeInJson = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from outside made safe for a terminal and for one line: control characters and those that
 * turn the direction of writing are shown as escapes (`\x1b`).
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character > '\xff') return unicodeEscape(character);
    return shortEscapes[character] ?? hexEscape(character);
  });
}

/** Bytes that should be text, made safe like it; bytes that are none are shown as `\xff`. */
export function escapeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return escapeControls(bytes.toString());
  return bytes.toString('latin1').replace(/[^\x20-\x7e]/g, hexEscape);
}

/** Text as one word of a command line that a person copies into a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same JSON, with the characters escaped that a terminal would act on. */
export function escapeJson(json: string): string {
  return json.replace(unsafeInJson, unicodeEscape);
}

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

// Swedish writes dates and times as ISO 8601 does.
const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow' });
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** An RFC 3339 time in the local zone, to the second: `2026-11-21 07:04:05`. */
export function localTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : local.format(date);
}

/** How far a time is from now, in its largest whole unit: `3m ago`, `in 2h`. */
export function relativeTime(time: string, now = Date.now()): string {
  const distance = Date.parse(time) - now;
  if (Number.isNaN(distance)) return time;
  for (const [unit, length] of units)
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  return Math.abs(distance) < 1000 ? 'now' : relative.format(Math.trunc(distance / 1000), 'second');
}

/** A time as people look for it: when, and how long ago. */
export function timeWithDistance(time: string): string {
  return `${localTime(time)} (${relativeTime(time)})`;
}

/** A share of 0 to 1 as a whole percentage, rounded down so that 100% means all of it. */
export function percent(share: number): string {
  // 0.29 * 100 is 28.999999999999996: the small addend keeps it 29.
  return `${Math.floor(share * 100 + 1e-9)}%`;
}

/** A share of 0 to 1 as a bar of so many columns. */
export function bar(share: number, width: number): string {
  const filled = Math.floor(Math.min(Math.max(share, 0), 1) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
