import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { type ApiClient, ApiError } from '../../client/api-client.ts';
import { deadLetterPath, instancePath } from '../../client/api-paths.ts';
import { type DeadLetterResponse, responses } from '../../client/responses.ts';
import { examples, pathSegment } from '../../options/arguments.ts';
import { escapeControls } from '../../output/escape.ts';

/** `milepost dead-letters delete`: gives them up for good. */
export function addDeleteDeadLetters(deadLetters: Command, cli: Cli): void {
  deadLetters
    .command('delete')
    .summary('delete some for good')
    .description(
      'Deletes dead letters for good, without asking. An event that is parked is taken out with ' +
        'its dead letter, and its instance goes on without it.',
    )
    .argument('<id...>', 'the ids of the dead letters', (id: string, ids?: string[]) => [
      ...(ids ?? []),
      pathSegment(id),
    ])
    .addHelpText('after', examples('dead-letters delete 0mjtfpfk0-dfd8744da9d81190'))
    .action(async (ids: readonly string[], _: unknown, self: Command) => {
      const api = cli.api(self);
      const { json } = self.optsWithGlobals<GlobalOptions>();
      for (const id of ids)
        try {
          if (json) cli.printJson(await api.delete(deadLetterPath(id)));
          else cli.print(escapeControls(await deleteOne(api, id)));
        } catch (error) {
          // One that is gone says nothing about the next.
          if (!(error instanceof ApiError && error.status === 404)) throw error;
          cli.note(`error: ${error.message}`);
          cli.status = 1;
        }
    });
}

/** Returns what was done, in words. */
async function deleteOne(api: ApiClient, id: string): Promise<string> {
  const letter = (await api.get(deadLetterPath(id))).read(responses.deadLetter);
  const waiting = await hasParked(api, letter);
  await api.delete(deadLetterPath(id));
  const deleted = `deleted dead letter ${id}`;
  return waiting
    ? `${deleted}: ${letter.modelId}/${letter.transactionId} goes on without it`
    : deleted;
}

/** Whether a letter's instance has parked events: only then can the letter be one of them. */
async function hasParked(api: ApiClient, letter: DeadLetterResponse): Promise<boolean> {
  if (!letter.modelId || !letter.transactionId) return false;
  try {
    const answer = await api.get(instancePath(letter.modelId, letter.transactionId));
    return answer.read(responses.instance).parked > 0;
  } catch (error) {
    // What a bad record says it is for need not be there, nor be a name that a path can hold.
    if (error instanceof ApiError && error.code !== 'unreachable') return false;
    throw error;
  }
}
