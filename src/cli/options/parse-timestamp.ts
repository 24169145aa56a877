import { InvalidArgumentError } from 'commander';
import { toUtc } from '../../core/time/timestamp.ts';

/** Parses a time to milliseconds since 1970. Throws `InvalidArgumentError`. */
export function parseTimestamp(text: string): number {
  const [, date] = /^(\d{4}-\d\d-\d\d)(?:[Tt ]|$)/.exec(text) ?? [];
  // `Date.parse` accepts dates that do not exist, such as February 30.
  const exists = toUtc(`${date}T00:00:00Z`) !== undefined;
  const time = exists ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time, such as 2026-01-31T12:00:00Z.');
  return time;
}
