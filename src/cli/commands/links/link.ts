import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { localTime } from '../../output/format.ts';

interface LinkOptions extends GlobalOptions {
  readonly expiresIn?: string;
}

/** `milepost link`: a link for the customer. */
export function addLink(program: Command, cli: Cli): void {
  withInstance(program.command('link'))
    .summary("make a link to an instance's status page")
    .description(
      "Makes a link to an instance's status page, for the customer: who has it sees milestones and " +
        'status, and nothing else, until it expires or is revoked (milepost revoke).',
    )
    .option(
      '--expires-in <duration>',
      'for how long it is good, as ISO 8601 has it (30 days if not given)',
    )
    .addHelpText('after', examples('link service-request SR-1 --expires-in P7D'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const { json, expiresIn } = self.optsWithGlobals<LinkOptions>();
      const body = JSON.stringify({ model, transaction, expiresIn });
      const answer = await cli.api(self).post('/links', { body });
      if (json) return cli.printJson(answer);
      const { id, url, expiresAt } = answer.read(responses.link);
      cli.print(url);
      cli.note(`good until ${localTime(expiresAt)}; its id is ${id}`);
    });
}
