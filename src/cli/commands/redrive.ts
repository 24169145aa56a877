import { type Command, Option } from 'commander';
import { answers } from '../answers.ts';
import { instancePath } from '../api-client.ts';
import { examples, withInstance } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { escapeControls } from '../format.ts';

interface RedriveOptions extends GlobalOptions {
  readonly deadLetter?: string;
}

/** `milepost redrive`: parked events, or one dead letter, again. */
export function addRedrive(program: Command, cli: Cli): void {
  withInstance(program.command('redrive'), false)
    .summary("apply an instance's parked events again, or a dead letter")
    .description(
      "Applies an instance's parked events again, in order; or puts a dead letter on the stream again.",
    )
    .addOption(new Option('--dead-letter <id>', 'the dead letter to put on the stream again'))
    .addHelpText('after', examples('redrive activation ATV-123', 'redrive --dead-letter 0001f7a2'))
    .action(
      async (
        model: string | undefined,
        transaction: string | undefined,
        _: unknown,
        self: Command,
      ) => {
        const { deadLetter } = self.optsWithGlobals<RedriveOptions>();
        if (deadLetter !== undefined) {
          if (model !== undefined || deadLetter === '')
            self.error('error: redrive takes either an instance or --dead-letter with its id');
          await redriveDeadLetter(cli, self, deadLetter);
        } else if (model === undefined || transaction === undefined)
          self.error('error: redrive needs a model and a transaction, or --dead-letter');
        else await redriveInstance(cli, self, model, transaction);
      },
    );
}

async function redriveInstance(cli: Cli, self: Command, model: string, transaction: string) {
  const answer = await cli.api(self).post(`${instancePath(model, transaction)}/redrive`);
  if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer);
  const { redriven } = answer.read(answers.redriven);
  const name = escapeControls(`${model}/${transaction}`);
  cli.print(
    redriven === 0
      ? `nothing is parked at ${name}`
      : `redriven ${redriven} ${redriven === 1 ? 'event' : 'events'} of ${name}`,
  );
}

async function redriveDeadLetter(cli: Cli, self: Command, id: string) {
  const answer = await cli.api(self).post(`/dead-letters/${encodeURIComponent(id)}/redrive`);
  if (self.optsWithGlobals<GlobalOptions>().json) cli.printJson(answer);
  else cli.print(escapeControls(`put dead letter ${id} on the stream again`));
}
