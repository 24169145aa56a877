import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { modelPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withModel } from '../../options/arguments.ts';

interface RollbackOptions extends GlobalOptions {
  readonly to?: string;
}

/** `milepost rollback`: activates an earlier version of a model's code. */
export function addRollback(program: Command, cli: Cli): void {
  withModel(program.command('rollback'))
    .summary("roll back a model's code to an earlier version")
    .description(
      "Activates an earlier version of a model's code, without confirmation. That version processes the model's " +
        "events until the next rollback or until a deployment changes the model's function. Takes effect within a " +
        'few seconds.',
    )
    .addOption(
      new Option(
        '--to <function-version>',
        'the function version, as listed by milepost versions (default: the version before the current one)',
      ).argParser(functionVersion),
    )
    .addHelpText('after', examples('rollback activation', 'rollback activation --to 3'))
    .action(async (model: string, _: unknown, self: Command) => {
      const { to, json } = self.optsWithGlobals<RollbackOptions>();
      const chosen = to ?? (await beforeCurrent(cli, self, model));
      if (chosen === undefined) {
        cli.note(
          escapeControls(
            `error: ${model} has no version before the current one; to activate another version, use --to with a function version from milepost versions`,
          ),
        );
        cli.status = 1;
        return;
      }
      const body = JSON.stringify({ functionVersion: chosen });
      const answer = await cli.api(self).post(`${modelPath(model)}/rollback`, { body });
      if (json) return cli.printJson(answer, responses.version);
      const { functionVersion, version } = answer.read(responses.version);
      cli.print(
        `rolled back ${escapeControls(model)} to function version ${functionVersion} (model version ${version})`,
      );
    });
}

async function beforeCurrent(cli: Cli, self: Command, model: string): Promise<string | undefined> {
  const answer = await cli.api(self).get(`${modelPath(model)}/versions`);
  const { versions } = answer.read(responses.versions);
  const current = versions.findIndex((version) => version.current);
  return current < 0 ? undefined : versions[current + 1]?.functionVersion;
}

function functionVersion(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the number of a function version, such as 3.');
}
