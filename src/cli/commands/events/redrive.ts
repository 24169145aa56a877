import { type Command, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import { shellArguments } from '../../../common/shell-word.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { deadLetterPath, instancePath } from '../../client/api-paths.ts';
import { readAllPages } from '../../client/read-all-pages.ts';
import { responses } from '../../client/responses.ts';
import { examples, notEmpty, pathSegment, withInstance } from '../../options/arguments.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';

interface RedriveOptions extends GlobalOptions {
  readonly deadLetter?: string;
  readonly deadLetters?: true;
  readonly reason?: string;
}

/** `milepost redrive`: retries parked events or dead letters. */
export function addRedrive(program: Command, cli: Cli): void {
  withInstance(program.command('redrive'), false)
    .summary('retry the parked events of an instance, or dead letters')
    .description(
      "Retries an instance's parked events, in order. With --dead-letter or --dead-letters, " +
        'retries one or more dead letters instead: puts rejected records back on the stream and, for ' +
        "a parked event, retries all of its instance's parked events.",
    )
    .addOption(new Option('--dead-letter <id>', 'retry this dead letter').argParser(pathSegment))
    .addOption(
      new Option('--dead-letters', 'retry all dead letters that can be redriven').conflicts(
        'deadLetter',
      ),
    )
    .addOption(
      new Option(
        '--reason <text>',
        'with --dead-letters: only dead letters with exactly this reason, in full or as `dead-letters reasons` prints it',
      ).argParser(notEmpty),
    )
    .addHelpText(
      'after',
      examples(
        'redrive activation ATV-123',
        'redrive --dead-letter 0mjtfpfk0-dfd8744da9d81190',
        "redrive --dead-letters --reason 'no such model: parcel'",
      ),
    )
    .action(
      async (
        model: string | undefined,
        transaction: string | undefined,
        _: unknown,
        self: Command,
      ) => {
        const { deadLetter, deadLetters, reason } = self.optsWithGlobals<RedriveOptions>();
        if (reason !== undefined && !deadLetters)
          self.error('error: --reason requires --dead-letters');
        if (deadLetter !== undefined || deadLetters) {
          if (model !== undefined)
            self.error(
              'error: redrive accepts only one of these: a model and a transaction, --dead-letter, or --dead-letters',
            );
          await (deadLetter === undefined
            ? redriveDeadLetters(cli, self, reason)
            : redriveDeadLetter(cli, self, deadLetter));
        } else if (model === undefined || transaction === undefined)
          self.error(
            'error: redrive requires a model and a transaction, --dead-letter, or --dead-letters',
          );
        else await redriveInstance(cli, self, model, transaction);
      },
    );
}

async function redriveInstance(cli: Cli, self: Command, model: string, transaction: string) {
  const answer = await cli.api(self).post(`${instancePath(model, transaction)}/redrive`);
  if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer, responses.redriven);
  const { redriven } = answer.read(responses.redriven);
  const name = escapeControls(`${model}/${transaction}`);
  if (redriven === 0) return cli.print(`${name} has no parked events`);
  const check = `milepost status ${shellArguments(model, transaction)}`;
  cli.print(
    `redriving ${count(redriven, 'parked event')} of ${name}; check with: ${escapeControls(check)}`,
  );
}

async function redriveDeadLetter(cli: Cli, self: Command, id: string) {
  const answer = await cli.api(self).post(`${deadLetterPath(id)}/redrive`);
  if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer, responses.redriven);
  const { redriven } = answer.read(responses.redriven);
  cli.print(
    escapeControls(
      redriven > 0
        ? `redrove dead letter ${id}`
        : `dead letter ${id} is already being redriven, or its event is no longer parked`,
    ),
  );
}

async function redriveDeadLetters(cli: Cli, self: Command, reason: string | undefined) {
  const api = cli.api(self);
  const progress = new ProgressLine(cli.context);
  let redriven = 0;
  let done = false;
  try {
    const ask = (cursor?: string) =>
      api.post('/dead-letters/redrive', { query: { reason, cursor } });
    for await (const { answer } of readAllPages(ask)) {
      redriven += answer.read(responses.redriven).redriven;
      progress.show(undefined, `redriven ${redriven}`);
    }
    done = true;
  } finally {
    progress.clear();
    const { json } = self.optsWithGlobals<GlobalOptions>();
    if (json && (done || redriven > 0)) cli.printData({ redriven });
    else if (redriven > 0) cli.print(`redrove ${count(redriven, 'dead letter')}`);
    else if (done)
      cli.print(
        reason
          ? 'there are no dead letters with this reason that can be redriven'
          : 'there are no dead letters that can be redriven',
      );
  }
}
