import type { Command } from 'commander';
import { shellWord } from '../../../common/shell-word.ts';
import type { Cli } from '../../cli.ts';
import { dependencyFor } from '../../milepost-dependency.ts';
import { createProject, ProjectError } from '../../new-project.ts';
import { examples, notEmpty } from '../../options/arguments.ts';

interface InitOptions {
  readonly milepost?: string;
}

/** `milepost init`: creates a starter project. */
export function addInit(program: Command, cli: Cli): void {
  program
    .command('init')
    .summary('create a project with a model, its test, and a CDK app')
    .description(
      'Creates a folder with a model, its test, a CDK app, and a README. Asks no questions and ' +
        'overwrites no files.',
    )
    .argument(
      '[folder]',
      'the folder to create; an existing folder must not contain any of the files that the command creates',
      notEmpty,
      'milepost-project',
    )
    .option(
      '--milepost <spec>',
      'the version or path of the milepost dependency (default: this version)',
      notEmpty,
    )
    .addHelpText('after', examples('init', 'init parcels'))
    .action(async (folder: string, { milepost }: InitOptions) => {
      const { version } = cli.context;
      try {
        await createProject(folder, milepost ?? (await dependencyFor(folder, version)));
      } catch (error) {
        if (!(error instanceof ProjectError)) throw error;
        cli.note(`error: ${error.message}`);
        cli.status = 1;
        return;
      }
      cli.print(`cd ${shellWord(folder)} && npm install`);
      cli.print('npm test');
      cli.print('npm start');
    });
}
