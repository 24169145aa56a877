import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMilliseconds } from '../../core/time/duration.ts';
import { isDate, toIso, toUtc } from '../../core/time/timestamp.ts';
import { positiveInteger } from './numbers.ts';

/** The options of commands that can show an instance in the past. */
export interface AsOfOptions {
  readonly at?: string;
  readonly atVersion?: number;
  readonly asOfEventTime?: string;
}

/**
 * Adds `--at` and `--at-version`. The name `--version` is not available, because `--version` prints the CLI's version.
 */
export function withAsOf(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--at <time>',
        'show the instance as of this time: an RFC 3339 time, a local time, or an ISO 8601 duration before now ' +
          '(PT2H)',
      ).argParser(timeOption),
    )
    .addOption(
      new Option('--at-version <n>', 'show the instance as of this version')
        .argParser(positiveInteger)
        .conflicts('at'),
    );
}

/** Adds `--as-of-event-time` to a command that already has the options of `withAsOf`. */
export function withEventTime(command: Command): Command {
  return command.addOption(
    new Option(
      '--as-of-event-time <time>',
      'show the instance with all events that happened up to this time, even those recorded later',
    )
      .argParser(timeOption)
      .conflicts(['at', 'atVersion']),
  );
}

/** Returns the query parameters that select a past state. Without these options, all values are undefined. */
export const asOfQuery = ({ at, atVersion, asOfEventTime }: AsOfOptions) => ({
  at,
  version: atVersion?.toString(),
  asOfEventTime,
});

/**
 * Parses a time or a duration before now, and returns the time as the API expects it. Throws `InvalidArgumentError`.
 */
function timeOption(text: string): string {
  const moment = toUtc(text) ?? parseAge(text) ?? parseLocalTime(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(
    'It must be a time (2026-11-21T07:00:00Z, or 2026-11-21 07:00 in the local time zone) or a duration before now (PT2H, P1D).',
  );
}

function parseAge(text: string): string | undefined {
  if (!text.startsWith('P')) return undefined;
  try {
    return toIso(Date.now() - durationMilliseconds(text));
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** Parses a local time in the format in which commands print times. The seconds are optional. */
function parseLocalTime(text: string): string | undefined {
  const [, date = '', hours] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(text) ?? [];
  if (!isDate(date)) return undefined;
  const moment = Date.parse(`${date}T${hours}`);
  return Number.isNaN(moment) ? undefined : toIso(moment);
}
