import type { Command } from 'commander';
import { groupByReason } from '../../../core/event/dead-letter-reason.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import type { DeadLetterSummary } from '../../client/responses.ts';
import { examples } from '../../options/arguments.ts';
import { relativeTime } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';
import type { Column } from '../../output/table.ts';
import { readDeadLetters } from './read-dead-letters.ts';

const columns: readonly Column[] = [
  { header: 'dead letters', align: 'right' },
  { header: 'newest' },
  { header: 'reason', min: 48 },
];

/** `milepost dead-letters reasons`: counts dead letters by reason. */
export function addDeadLetterReasons(deadLetters: Command, cli: Cli): void {
  deadLetters
    .command('reasons')
    .summary('count dead letters by reason')
    .description(
      'Counts all dead letters by reason, the most frequent reason first. Events that only wait behind ' +
        'a parked event of their instance come last. Omits the parts of a reason ' +
        'that differ between records with the same cause, such as the event id or an invalid time. Each ' +
        'reason can be passed to `dead-letters --reason`, `dead-letters delete --reason`, and ' +
        '`redrive --dead-letters --reason`.',
    )
    .addHelpText('after', examples('dead-letters reasons'))
    .action(async (_: unknown, self: Command) => {
      const progress = new ProgressLine(cli.context);
      let reasons: ReasonCount[];
      try {
        reasons = countReasons(await readDeadLetters(cli.api(self), progress));
      } finally {
        progress.clear();
      }
      if (self.optsWithGlobals<GlobalOptions>().json) return cli.printData({ reasons });
      cli.printTable(
        columns,
        reasons.map(({ reason, deadLetters, newest }) => [
          String(deadLetters),
          relativeTime(newest),
          reason,
        ]),
        'There are no dead letters.',
      );
    });
}

interface ReasonCount {
  readonly reason: string;
  /** The number of dead letters with this reason. */
  readonly deadLetters: number;
  /** When the newest dead letter with this reason was recorded, in RFC 3339. */
  readonly newest: string;
}

/** Counts dead letters, which are sorted newest first, by their common reason. */
function countReasons(letters: readonly DeadLetterSummary[]): ReasonCount[] {
  return groupByReason(letters).map(({ reason, letters: each }) => ({
    reason,
    deadLetters: each.length,
    newest: each[0].at,
  }));
}
