import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { createProject, dependencyFor, ProjectError } from '../../new-project.ts';
import { examples } from '../../options/arguments.ts';

interface InitOptions {
  readonly milepost?: string;
}

/** `milepost init`: a project to begin with. */
export function addInit(program: Command, cli: Cli): void {
  program
    .command('init')
    .summary('make a project with a model, its test and a CDK app')
    .description(
      'Makes a folder with one model, its test, a CDK app and a README. It asks nothing, and overwrites nothing.',
    )
    .argument('[folder]', 'where; it may be there, without these files', 'milepost-project')
    .option('--milepost <spec>', 'what it depends on (default: this version of Milepost)')
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
      cli.print(`cd ${folder} && npm install`);
      cli.print('npm test');
      cli.print('npm start');
    });
}
