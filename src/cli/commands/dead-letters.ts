import type { Command } from 'commander';
import { answers, type DeadLetterAnswer } from '../answers.ts';
import { examples } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { escapeBytes, relativeTime, timeWithDistance } from '../format.ts';
import { readPages, withPaging } from '../paging.ts';
import type { Column } from '../table.ts';

const columns: readonly Column[] = [
  { header: 'id' },
  { header: 'when' },
  { header: 'model', min: 5, optional: true },
  { header: 'transaction', min: 8, optional: true },
  { header: 'event', min: 5, optional: true },
  { header: 'reason', min: 16 },
];

/** `milepost dead-letters`: the records that could not become events of any instance. */
export function addDeadLetters(program: Command, cli: Cli): void {
  withPaging(program.command('dead-letters'))
    .summary('list the records that no model could be given')
    .description('Lists dead letters: records that no model could be given, each with the reason.')
    .option('--raw', 'show what each record was, with bytes that are no text as \\x..')
    .addHelpText('after', examples('dead-letters', 'dead-letters --raw --limit 1'))
    .action(async (_: unknown, self: Command) => {
      const { raw } = self.optsWithGlobals<GlobalOptions & { raw?: true }>();
      const schema = answers.deadLetters;
      const letters = await readPages(
        cli,
        self,
        '/dead-letters',
        {},
        schema,
        (page) => page.deadLetters,
      );
      const none = 'There are no dead letters.';
      if (letters === undefined) return;
      if (raw && letters.length > 0) cli.print(letters.map((l) => withRaw(l, cli)).join('\n\n'));
      else
        cli.printTable(
          columns,
          letters.map((letter) => cells(letter, relativeTime(letter.at))),
          none,
        );
    });
}

function cells(letter: DeadLetterAnswer, when: string) {
  const { id, modelId, transactionId, eventId, reason } = letter;
  return [id, when, modelId ?? '', transactionId ?? '', eventId ?? '', reason];
}

function withRaw(letter: DeadLetterAnswer, cli: Cli): string {
  const lines = cells(letter, timeWithDistance(letter.at)).flatMap((text, i) => {
    const { header = '' } = columns[i] ?? {};
    return text === '' ? [] : [cli.paint('bold', header.padEnd(13)) + text];
  });
  return [...lines, escapeBytes(Buffer.from(letter.raw, 'base64'))].join('\n');
}
