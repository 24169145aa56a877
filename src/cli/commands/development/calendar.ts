import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import { messageOf } from '../../../common/message-of.ts';
import type { Holidays } from '../../calendar/holidays-in.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { count } from '../../output/format.ts';

interface CalendarOptions extends GlobalOptions {
  readonly until: number;
}

/** `milepost calendar`: converts the holidays in an iCalendar file to a module. */
export function addCalendar(program: Command, cli: Cli): void {
  program
    .command('calendar')
    .summary('convert the holidays in an iCalendar file to a module for defineCalendar')
    .description(
      'Prints a module with the dates of the all-day events in an iCalendar file, for the `holidays` of defineCalendar. ' +
        'Does not need a running service.',
    )
    .argument('<path>', 'the iCalendar file', notEmpty)
    .addOption(
      new Option('--until <year>', 'the last year for which repetitions of events are included')
        .default(2050)
        .argParser(year),
    )
    .addHelpText('after', examples('calendar holidays.ics > models/claim/holidays.ts'))
    .action(async (file: string, _: unknown, command: Command) => {
      const { until, json } = command.optsWithGlobals<CalendarOptions>();
      const text = await readFile(file, 'utf8').catch((error: Error) =>
        command.error(`error: cannot read ${file}: ${error.message}`),
      );
      try {
        const found = await holidaysOf(text, until);
        if (json) cli.printData(found);
        else cli.print(moduleOf(file, found));
        for (const line of notesOf(found)) cli.note(line);
      } catch (error) {
        cli.note(`error: ${file}: ${messageOf(error)}`);
        cli.status = 1;
      }
    });
}

async function holidaysOf(text: string, until: number): Promise<Holidays> {
  // Load the parser on demand because no other command needs it.
  const { holidaysIn } = await import('../../calendar/holidays-in.ts');
  const found = holidaysIn(text, until);
  if (found.holidays.length === 0) throw new Error('the file contains no all-day events');
  return found;
}

const moduleOf = (file: string, { holidays }: Holidays) =>
  [
    `/** The all-day events in ${basename(file)}, written by \`milepost calendar\`. */`,
    'export const holidays = [',
    ...holidays.map(({ date, name }) => `  '${date}', // ${escapeControls(name)}`),
    '];',
  ].join('\n');

function notesOf({ holidays, skipped }: Holidays): string[] {
  const [first, last] = [holidays[0]!.date, holidays.at(-1)!.date];
  return [
    `${count(holidays.length, 'holiday')} from ${first} to ${last}. The calendar contains no holidays after ${last}; run the command again with a newer file before then.`,
    ...skipped.map(
      (name) =>
        `skipped: ${escapeControls(name)} has a time of day; add its date to \`exceptions\` if it changes the opening hours`,
    ),
  ];
}

function year(text: string): number {
  if (/^[1-9]\d{3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a year, such as 2030.');
}
