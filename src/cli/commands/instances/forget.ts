import type { Command } from 'commander';
import * as v from 'valibot';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { instancePath } from '../../client/api-paths.ts';
import { readInstance } from '../../client/read-instance.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { count } from '../../output/format.ts';

const forgotten = v.object({
  rewritten: v.nullable(v.number()),
  parked: v.number(),
  revokedLinks: v.optional(v.number(), 0),
  cursor: v.optional(v.string()),
});

/** The combined result of all requests, with their counts added up. */
type ForgetResponse = Omit<v.InferOutput<typeof forgotten>, 'cursor'>;

/** `milepost forget`: destroys personal data permanently. */
export function addForget(program: Command, cli: Cli): void {
  withInstance(program.command('forget'))
    .summary("permanently destroy an instance's personal data")
    .description(
      "Permanently destroys the data key of an instance's sensitive fields, without confirmation, " +
        'and removes from the history any plain text that was stored before the model marked these fields. The ' +
        'history itself remains. Within a minute, the fields are null, and sensitive fields of later events are not ' +
        'stored. Also revokes customer links. Copies elsewhere expire later: see docs/how-to/protect-personal-data.md.',
    )
    .addHelpText('after', examples('forget customer Fred'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const api = cli.api(self);
      // Forgetting is irreversible, so first check that the path does not lead to another instance.
      await readInstance(api, { model, transaction });
      const result = await forget(api, `${instancePath(model, transaction)}/forget`);
      if (self.optsWithGlobals<GlobalOptions>().json)
        return cli.printData({ forgotten: true, ...result });
      for (const line of linesOf(`${model}/${transaction}`, result))
        cli.print(escapeControls(line));
    });
}

async function forget(api: ApiClient, path: string): Promise<ForgetResponse> {
  let rewritten: number | null = 0;
  let revokedLinks = 0;
  for (let cursor: string | undefined; ; ) {
    const page = (await api.post(path, { query: { cursor } })).read(forgotten);
    rewritten = page.rewritten === null ? null : rewritten + page.rewritten;
    revokedLinks += page.revokedLinks;
    if (page.cursor === undefined || rewritten === null)
      return { rewritten, parked: page.parked, revokedLinks };
    cursor = page.cursor;
  }
}

function linesOf(name: string, { rewritten, parked, revokedLinks }: ForgetResponse): string[] {
  const lines = [`destroyed the personal data of ${name}`];
  if (rewritten === null)
    lines.push('its model is not registered, so its history was not searched for plain text');
  else if (rewritten > 0) lines.push(`removed plain text from ${count(rewritten, 'commit')}`);
  if (revokedLinks > 0) lines.push(`revoked ${count(revokedLinks, 'link')} to its status page`);
  if (parked > 0)
    lines.push(
      `parked events that still contain plain text: ${parked}; redrive them, or delete their dead letters`,
    );
  return lines;
}
