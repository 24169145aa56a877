import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { examples } from '../../options/arguments.ts';

interface LocalOptions {
  readonly port?: string;
  readonly data?: string;
  readonly inMemory?: true;
  readonly models?: string;
  readonly reload: boolean;
}

/** `milepost local`: the whole service on this machine. */
export function addLocal(program: Command, cli: Cli): void {
  program
    .command('local')
    .summary('run the whole service on this machine')
    .description(
      'Runs the whole service on this machine, on embedded endpoints, with the models of a folder: ' +
        'each <folder>/<id>/lambda.ts or model.py. A model that is added or saved is taken while it runs. ' +
        'Prints one line of JSON when it answers; Ctrl-C stops it. ' +
        'The variables MILEPOST_PORT, MILEPOST_DATA and so on are taken where no option is given.',
    )
    .addOption(
      new Option('--port <n>', 'HTTP API and web pages; 0: a free one (default: 4500)').argParser(
        port,
      ),
    )
    .option('--data <folder>', 'where state is kept between runs (default: .milepost)')
    .addOption(new Option('--in-memory', 'keep state in memory only').conflicts('data'))
    .option('--models <folder>', 'the models (default: models; in its repository: those shipped)')
    .option('--no-reload', 'do not take models again when they are saved')
    .addHelpText('after', examples('local', 'local --models ./models --port 8080 --in-memory'))
    .action(async ({ port, data, inMemory, models, reload }: LocalOptions) => {
      cli.status = await cli.context.runLocal({
        ...cli.context.env,
        ...(port === undefined ? {} : { MILEPOST_PORT: port }),
        ...(data === undefined ? {} : { MILEPOST_DATA: data }),
        ...(inMemory ? { MILEPOST_DATA: '' } : {}),
        ...(models === undefined ? {} : { MILEPOST_MODELS: models }),
        ...(reload ? {} : { MILEPOST_RELOAD: 'off' }),
      });
    });
}

function port(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return text;
}
