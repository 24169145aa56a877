import type { Command } from 'commander';
import { answers } from '../answers.ts';
import { instancePath } from '../api-client.ts';
import { examples, withInstance } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { escapeJson } from '../format.ts';
import { renderInstance, section } from '../instance-view.ts';

/** `milepost status`: one instance, where it is now. */
export function addStatus(program: Command, cli: Cli): void {
  withInstance(program.command('status'))
    .summary('show where an instance is now')
    .description('Shows where an instance is now. Times are in the local zone.')
    .option('--state', 'show its state too')
    .addHelpText('after', examples('status activation ATV-123 --state'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<GlobalOptions & { state?: true }>();
      const answer = await cli.api(self).get(instancePath(model, transaction));
      if (options.json) cli.printJson(answer);
      else {
        const instance = answer.read(answers.instance);
        cli.print(renderInstance(instance, cli));
        if (options.state)
          cli.print(section('State', escapeJson(JSON.stringify(instance.state, null, 2)), cli));
      }
    });
}
