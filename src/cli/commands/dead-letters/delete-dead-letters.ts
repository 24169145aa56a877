import { type Command, Option } from 'commander';
import pMap from 'p-map';
import { escapeControls } from '../../../common/escape.ts';
import { hasReason } from '../../../core/event/dead-letter-reason.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { type ApiClient, ApiError } from '../../client/api-client.ts';
import { deadLetterPath } from '../../client/api-paths.ts';
import { type DeadLetterSummary, responses } from '../../client/responses.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { forEachId, idsArgument } from '../../options/ids.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';
import { readDeadLetters } from './read-dead-letters.ts';

/** The maximum number of concurrent requests that delete rejected records. */
const concurrency = 4;

interface DeleteOptions extends GlobalOptions {
  readonly reason?: string;
}

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
    .argument('[id...]', 'the ids of the dead letters', idsArgument)
    .addOption(
      new Option(
        '--reason <text>',
        'delete all dead letters with exactly this reason, in full or as `dead-letters reasons` prints it',
      ).argParser(notEmpty),
    )
    .addHelpText(
      'after',
      examples(
        'dead-letters delete 0mjtfpfk0-dfd8744da9d81190',
        "dead-letters delete --reason 'no such model: parcel'",
      ),
    )
    .action(async (ids: readonly string[], _: unknown, self: Command) => {
      const { reason } = self.optsWithGlobals<DeleteOptions>();
      if ((ids.length === 0) !== (reason !== undefined))
        self.error('error: delete requires either ids or --reason, but not both');
      await (reason === undefined ? deleteEach(cli, self, ids) : deleteAll(cli, self, reason));
    });
}

async function deleteEach(cli: Cli, self: Command, ids: readonly string[]): Promise<void> {
  const api = cli.api(self);
  const { json } = self.optsWithGlobals<GlobalOptions>();
  await forEachId(cli, ids, async (id) => {
    if (json) (await api.delete(deadLetterPath(id))).readEmpty();
    else cli.print(escapeControls(await deleteOne(api, id)));
  });
}

/**
 * Deletes all dead letters with a reason: first the parked events, oldest first, then the rejected records. Skips dead
 * letters that are deleted or redriven in the meantime, and leaves dead letters that arrive in the meantime.
 */
async function deleteAll(cli: Cli, self: Command, reason: string): Promise<void> {
  const api = cli.api(self);
  const progress = new ProgressLine(cli.context);
  let deleted = 0;
  let done = false;
  try {
    const letters = (await readDeadLetters(api, progress))
      .filter((letter) => hasReason(letter, reason))
      .toReversed();
    const parked = letters.filter((letter) => letter.parked);
    const rejected = letters.filter((letter) => !letter.parked);
    const remove = async ({ id }: DeadLetterSummary) => {
      if (await deleteIfExists(api, id)) deleted++;
      progress.show(deleted / letters.length, `deleted ${deleted} of ${letters.length}`);
    };
    // Each deletion of a parked event makes its instance continue, so an instance's events must be deleted in order.
    await pMap(parked, remove, { concurrency: 1 });
    await pMap(rejected, remove, { concurrency });
    done = true;
  } finally {
    progress.clear();
    const { json } = self.optsWithGlobals<GlobalOptions>();
    if (json && (done || deleted > 0)) cli.printData({ deleted });
    else if (deleted > 0) cli.print(`deleted ${count(deleted, 'dead letter')}`);
    else if (done) cli.print('there are no dead letters with this reason');
  }
}

/** Deletes a dead letter. Returns false if it no longer exists. */
async function deleteIfExists(api: ApiClient, id: string): Promise<boolean> {
  try {
    (await api.delete(deadLetterPath(id))).readEmpty();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
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
