import { InvalidArgumentError } from 'commander';

/** Takes a time, in milliseconds since 1970. Throws `InvalidArgumentError` for what is none. */
export function parseTimestamp(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(?:[Tt ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time, as 2026-01-31T12:00:00Z.');
  return time;
}
