import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { examples, notEmpty } from '../../options/arguments.ts';

interface LocalOptions {
  readonly port?: string;
  readonly data?: string;
  readonly inMemory?: true;
  readonly models?: string;
  readonly reload: boolean;
  readonly demo?: true;
}

/** `milepost local`: runs the whole service on this machine. */
export function addLocal(program: Command, cli: Cli): void {
  program
    .command('local')
    .summary('run the whole service on this machine')
    .description(
      'Runs the whole service on this machine with embedded endpoints and the models in a folder: ' +
        'each <folder>/<id>/lambda.ts or model.py. Reloads models when they are added or saved. ' +
        'Prints one line of JSON when the service is ready. To stop the service, press Ctrl+C. ' +
        'Options override environment variables such as MILEPOST_PORT and MILEPOST_DATA.',
    )
    .addOption(
      new Option(
        '--port <n>',
        'the port of the API and the web pages; 0 picks a free port (default: 4500)',
      ).argParser(port),
    )
    .option(
      '--data <folder>',
      'the folder in which to keep the state (default: .milepost)',
      notEmpty,
    )
    .addOption(new Option('--in-memory', 'keep the state in memory only').conflicts('data'))
    .option(
      '--models <folder>',
      'the folder with models (default: models; in the repository: the shipped models)',
      notEmpty,
    )
    .option('--no-reload', 'do not reload saved models')
    .addOption(
      new Option(
        '--demo',
        'load a month of demo data, kept in memory unless --data is set; new events follow for an ' +
          'hour',
      ).conflicts('models'),
    )
    .addHelpText('after', examples('local', 'local --models ./models --port 8080 --in-memory'))
    .action(async ({ port, data, inMemory, models, reload, demo }: LocalOptions) => {
      cli.status = await cli.context.runLocal({
        ...cli.context.env,
        ...(port === undefined ? {} : { MILEPOST_PORT: port }),
        // Keep demo data in memory by default so that it does not mix with the state of earlier runs.
        ...(inMemory || demo ? { MILEPOST_DATA: '' } : {}),
        ...(data === undefined ? {} : { MILEPOST_DATA: data }),
        ...(demo ? { MILEPOST_DEMO: 'on' } : {}),
        ...(models === undefined ? {} : { MILEPOST_MODELS: models }),
        ...(reload ? {} : { MILEPOST_RELOAD: 'off' }),
      });
    });
}

function port(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.');
  return text;
}
