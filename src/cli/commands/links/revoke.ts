import type { Command } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { instanceLinksPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { forEachId, idsArgument } from '../../options/ids.ts';
import { count } from '../../output/format.ts';

interface RevokeOptions extends GlobalOptions {
  readonly all?: true;
}

/** `milepost revoke`: revokes customer links. */
export function addRevoke(program: Command, cli: Cli): void {
  withInstance(program.command('revoke'))
    .summary("revoke an instance's customer links")
    .description(
      "Permanently revokes links to an instance's status page, without confirmation. The links stop " +
        'working immediately. `milepost links` lists the ids.',
    )
    .usage('[options] <model> <transaction> [link-id...]')
    .argument('[link-id...]', 'the ids of the links', idsArgument)
    .option('--all', "revoke all links to the instance's status page")
    .addHelpText(
      'after',
      examples(
        'revoke service-request SR-1 0mjtfpfk0-dfd8744da9d81190',
        'revoke service-request SR-1 --all',
      ),
    )
    .action(
      async (
        model: string,
        transaction: string,
        ids: readonly string[],
        _: unknown,
        self: Command,
      ) => {
        const { all } = self.optsWithGlobals<RevokeOptions>();
        const path = instanceLinksPath(model, transaction);
        if ((ids.length === 0) !== (all === true))
          self.error('error: revoke requires either link ids or --all, but not both');
        if (all) await revokeAll(cli, self, path, `${model}/${transaction}`);
        else await revokeEach(cli, self, path, ids);
      },
    );
}

async function revokeAll(cli: Cli, self: Command, path: string, name: string): Promise<void> {
  const answer = await cli.api(self).delete(path);
  if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer, responses.revoked);
  const { revoked } = answer.read(responses.revoked);
  cli.print(
    escapeControls(
      revoked === 0
        ? `there are no links to the status page of ${name}`
        : `revoked ${count(revoked, 'link')} to the status page of ${name}`,
    ),
  );
}

async function revokeEach(
  cli: Cli,
  self: Command,
  path: string,
  ids: readonly string[],
): Promise<void> {
  const api = cli.api(self);
  const { json } = self.optsWithGlobals<GlobalOptions>();
  await forEachId(cli, ids, async (id) => {
    (await api.delete(`${path}/${encodeURIComponent(id)}`)).readEmpty();
    if (!json) cli.print(escapeControls(`revoked link ${id}`));
  });
}
