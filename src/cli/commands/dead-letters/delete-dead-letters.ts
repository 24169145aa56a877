import type { Command } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { deadLetterPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples } from '../../options/arguments.ts';
import { forEachId, idsArgument } from '../../options/ids.ts';

/** `milepost dead-letters delete`: deletes dead letters. */
export function addDeleteDeadLetters(deadLetters: Command, cli: Cli): void {
  deadLetters
    .command('delete')
    .summary('delete dead letters')
    .description(
      'Deletes dead letters without confirmation. If a dead letter is a parked event, its ' +
        'instance skips the event and continues with the next one. A deleted dead letter cannot be ' +
        'restored, but it or its event returns if the stream is read again.',
    )
    .argument('<id...>', 'the ids of the dead letters', idsArgument)
    .addHelpText('after', examples('dead-letters delete 0mjtfpfk0-dfd8744da9d81190'))
    .action(async (ids: readonly string[], _: unknown, self: Command) => {
      const api = cli.api(self);
      const { json } = self.optsWithGlobals<GlobalOptions>();
      await forEachId(cli, ids, async (id) => {
        if (json) (await api.delete(deadLetterPath(id))).readEmpty();
        else cli.print(escapeControls(await deleteOne(api, id)));
      });
    });
}

/** Deletes a dead letter and returns a message for the user. */
async function deleteOne(api: ApiClient, id: string): Promise<string> {
  const letter = (await api.get(deadLetterPath(id))).read(responses.deadLetter);
  (await api.delete(deadLetterPath(id))).readEmpty();
  const deleted = `deleted dead letter ${id}`;
  return letter.parked
    ? `${deleted}; ${letter.modelId}/${letter.transactionId} continues without the event`
    : deleted;
}
