import { isUtf8 } from 'node:buffer';
import type { Command } from 'commander';
import { escapeJson } from '../../../common/escape.ts';
import { indentJson } from '../../../common/indent-json.ts';
import { isJson } from '../../../common/is-json.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { deadLetterPath } from '../../client/api-paths.ts';
import { type DeadLetterResponse, responses } from '../../client/responses.ts';
import { examples, pathSegment } from '../../options/arguments.ts';
import { escapeBytes } from '../../output/escape-bytes.ts';
import { count, timeWithDistance } from '../../output/format.ts';

/** `milepost dead-letters show`: shows a dead letter with the content of its record. */
export function addShowDeadLetter(deadLetters: Command, cli: Cli): void {
  deadLetters
    .command('show')
    .summary('show a dead letter with its content')
    .description(
      'Shows a dead letter and the content of its record. JSON is formatted. Other content is shown on ' +
        'one line, with binary data as \\x.. escapes.',
    )
    .argument('<id>', 'the id of the dead letter', pathSegment)
    .addHelpText('after', examples('dead-letters show 0mjtfpfk0-dfd8744da9d81190'))
    .action(async (id: string, _: unknown, self: Command) => {
      const answer = await cli.api(self).get(deadLetterPath(id));
      if (self.optsWithGlobals<GlobalOptions>().json)
        return cli.printJson(answer, responses.deadLetter);
      const letter = answer.read(responses.deadLetter);
      const bytes = Buffer.from(letter.raw, 'base64');
      cli.print(`${deadLetterFacts(letter, cli)}\n`);
      cli.print(
        `${cli.paint('bold', 'Content')} (${count(bytes.length, 'byte')})\n${contentOf(bytes)}`,
      );
    });
}

/** Renders the known fields of a dead letter, one per line. */
export function deadLetterFacts(letter: DeadLetterResponse, cli: Cli): string {
  const facts: readonly (readonly [string, string])[] = [
    ['id', letter.id],
    ['when', timeWithDistance(letter.at)],
    ['model', letter.modelId ?? ''],
    ['transaction', letter.transactionId ?? ''],
    ['event', letter.eventId ?? ''],
    ['reason', letter.reason],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => cli.paint('bold', name.padEnd(13)) + value)
    .join('\n');
}

function contentOf(bytes: Buffer): string {
  const text = bytes.toString();
  return isUtf8(bytes) && isJson(text) ? escapeJson(indentJson(text)) : escapeBytes(bytes);
}
