import { type Command, InvalidArgumentError } from 'commander';
import { linkLifetimePattern, requiredLinkLifetime } from '../../../core/status/link-lifetime.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { localTime } from '../../output/format.ts';

interface LinkOptions extends GlobalOptions {
  readonly expiresIn?: string;
}

/** `milepost link`: creates a customer link. */
export function addLink(program: Command, cli: Cli): void {
  withInstance(program.command('link'))
    .summary('create a customer link to a status page')
    .description(
      "Creates a link to an instance's status page for its customer. Until the link expires or is revoked " +
        '(milepost revoke), anyone with the link can see the status and the milestones, but not the state or the history.',
    )
    .option(
      '--expires-in <duration>',
      'the lifetime of the link, as an ISO 8601 duration (default: 30 days)',
      lifetime,
    )
    .addHelpText('after', examples('link service-request SR-1 --expires-in P7D'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const { json, expiresIn } = self.optsWithGlobals<LinkOptions>();
      const body = JSON.stringify({ model, transaction, expiresIn });
      const answer = await cli.api(self).post('/links', { body });
      if (json) return cli.printJson(answer, responses.link);
      const { id, url, expiresAt } = answer.read(responses.link);
      cli.print(url);
      cli.note(`expires ${localTime(expiresAt)}; id ${id}`);
    });
}

function lifetime(text: string): string {
  if (linkLifetimePattern.test(text)) return text;
  throw new InvalidArgumentError(`It must be ${requiredLinkLifetime}, such as P7D or PT36H.`);
}
