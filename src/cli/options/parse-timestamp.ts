import { InvalidArgumentError } from 'commander';

/** Parses a time to milliseconds since 1970. Throws `InvalidArgumentError`. */
export function parseTimestamp(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(?:[Tt ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time, such as 2026-01-31T12:00:00Z.');
  return time;
}
