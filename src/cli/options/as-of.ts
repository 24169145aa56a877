import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMilliseconds } from '../../core/time/duration.ts';
import { toIso, toUtc } from '../../core/time/timestamp.ts';

/** The options of a command that shows an instance as it was, as its action has them. */
export interface AsOfOptions {
  readonly at?: string;
  readonly atVersion?: string;
}

/** Adds `--at` and `--at-version`. The command line's own version has the name `--version`. */
export function withAsOf(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--at <time>',
        'as it was then: an RFC 3339 or a local time, or how long ago, as ISO 8601 has it (PT2H)',
      ).argParser(timeOption),
    )
    .addOption(
      new Option('--at-version <n>', 'as it was after this version')
        .argParser(versionNumber)
        .conflicts('at'),
    );
}

/** What asks the API for that moment; nothing of it asks for now. */
export const asOfQuery = ({ at, atVersion }: AsOfOptions) => ({ at, version: atVersion });

/** A time as the API takes it. Throws `InvalidArgumentError` for what is none. */
function timeOption(text: string): string {
  const moment = toUtc(text) ?? parseAge(text) ?? parseLocalTime(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(
    'It must be a time (2026-11-21T07:00:00Z, or 2026-11-21 07:00 in the local zone) or how long ago (PT2H, P1D).',
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

/** As the commands print it. */
function parseLocalTime(text: string): string | undefined {
  const [, date, hours] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(text) ?? [];
  // A day that its month does not have is none.
  if (toUtc(`${date}T00:00:00Z`) === undefined) return undefined;
  const moment = Date.parse(`${date}T${hours}`);
  return Number.isNaN(moment) ? undefined : toIso(moment);
}

function versionNumber(text: string): string {
  if (/^[1-9]\d{0,9}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
