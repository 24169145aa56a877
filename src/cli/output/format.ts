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
