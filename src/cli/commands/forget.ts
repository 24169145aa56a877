import type { Command } from 'commander';
import { answers } from '../answers.ts';
import { instancePath } from '../api-client.ts';
import { examples, withInstance } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { escapeControls } from '../format.ts';

/** `milepost forget`: personal data, for good. */
export function addForget(program: Command, cli: Cli): void {
  withInstance(program.command('forget'))
    .summary("destroy an instance's personal data for good")
    .description(
      'Destroys the key that the sensitive fields of an instance are sealed with, without asking. Its ' +
        'history stays; the fields are gone from it for good, within a minute, and those of later events are not kept. ' +
        'The links to its status page are revoked.',
    )
    .addHelpText('after', examples('forget customer Fred'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const answer = await cli.api(self).post(`${instancePath(model, transaction)}/forget`);
      if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer);
      const { revokedLinks } = answer.read(answers.forgotten);
      const done = `the sensitive fields of ${model}/${transaction} are forgotten`;
      const links = `${revokedLinks} ${revokedLinks === 1 ? 'link' : 'links'} to its page`;
      cli.print(escapeControls(revokedLinks === 0 ? done : `${done}, and ${links} revoked`));
    });
}
