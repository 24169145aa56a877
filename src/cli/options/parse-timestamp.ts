import { InvalidArgumentError } from 'commander';
import { isDate } from '../../core/time/timestamp.ts';

/** Parses a time, and returns it in milliseconds since 1970. Throws `InvalidArgumentError`. */
export function parseTimestamp(text: string): number {
  const [, date = ''] = /^(\d{4}-\d\d-\d\d)(?:[Tt ]|$)/.exec(text) ?? [];
  const time = isDate(date) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time, such as 2026-01-31T12:00:00Z.');
  return time;
}
