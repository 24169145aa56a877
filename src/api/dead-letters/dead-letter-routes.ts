import { Hono } from 'hono';
import * as v from 'valibot';
import { isPermanent } from '../../core/errors.ts';
import { type DeadLetter, deadLetterIdPattern } from '../../core/event/dead-letter.ts';
import { hasReason } from '../../core/event/dead-letter-reason.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import { unsealDeadLetter } from '../../model-runtime/sealing/sealed-events.ts';
import { skipParkedEvent } from '../../parking/unpark.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import { redriveRecord } from '../../stream/redrive-record.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest, unknownCursorProblem } from '../http/paging.ts';
import { letterPath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { flag } from '../http/query-parameters.ts';
import { checkRedrivable } from '../instances/check-redrivable.ts';
import { deadLetter, deadLetterPage, redriven, redrivenPage } from './dead-letter-schemas.ts';
import { deadLetterSummary, deadLetterView } from './dead-letter-view.ts';

/** The maximum time that one request spends on redriving, in milliseconds. The caller continues with the cursor. */
const redriveTimeLimit = 5_000;
const pageSize = 100;

/** Lists, redrives and deletes dead letters, which are rejected records and parked events. */
export function deadLetterRoutes({
  deadLetters,
  parking,
  stream,
  ownStream,
  notificationStream,
  dataKeys,
  models,
  clock,
  logError,
}: Pick<
  ApiDependencies,
  | 'deadLetters'
  | 'parking'
  | 'stream'
  | 'ownStream'
  | 'notificationStream'
  | 'dataKeys'
  | 'models'
  | 'clock'
  | 'logError'
>): Hono {
  const opened = (letter: DeadLetter) => (dataKeys ? unsealDeadLetter(dataKeys, letter) : letter);
  /** Returns the stream that delivered the record of a dead letter, or undefined if the stream no longer exists. */
  const homeOf = ({ isNotification }: DeadLetter) => (isNotification ? notificationStream : stream);
  /** Redrives a dead letter. Returns false if another request is redriving it or has just done so. */
  const redrive = async (letter: DeadLetter): Promise<boolean> => {
    if (letter.parked) {
      await ownStream.put([redriveRecord(instanceOfLetter(letter))]);
      return true;
    }
    const home = homeOf(letter);
    if (!home)
      throw new Problem(
        409,
        `dead letter ${letter.id} contains notifications, but this tracker publishes none; delete it`,
      );
    // Without a claim, two requests would put the record on the stream twice, and if it is rejected again, each of the
    // two records would become a dead letter.
    if (!(await deadLetters.claim(letter.id))) return false;
    try {
      // Put the record before removing the dead letter, so that a failure between the two steps duplicates the record
      // instead of losing it.
      await home.put([{ partitionKey: letter.partitionKey, data: letter.raw }]);
    } catch (error) {
      await deadLetters.release(letter.id);
      throw error;
    }
    await deadLetters.remove(letter.id);
    return true;
  };
  return new Hono()
    .get('/', describeOperation(operations.list), async (context) => {
      const query = context.req.query();
      const page = await deadLetters.list(pageRequest('dead-letters', query));
      const letters =
        query.raw === 'false'
          ? page.items.map(deadLetterSummary)
          : await Promise.all(
              page.items.map(async (letter) => deadLetterView(await opened(letter))),
            );
      return context.json({
        deadLetters: letters,
        ...cursorMember('dead-letters', page.cursor, query),
      });
    })
    .post('/redrive', describeOperation(operations.redriveMany), async (context) => {
      const query = context.req.query();
      const { reason } = query;
      const { cursor } = pageRequest('redrive', query);
      const until = clock.now() + redriveTimeLimit;
      const registered = new Set<string | null>((await models.list()).map(({ id }) => id));
      let redriven = 0;
      let { after, last } = cursor === undefined ? await startOf(deadLetters) : parsePlace(cursor);
      do {
        // Oldest first, so that the events of an instance return to the stream in their order.
        const page = await deadLetters.list({
          limit: pageSize,
          order: 'oldest',
          ...(after && { cursor: after }),
        });
        // Skip dead letters that arrived after the redrive began, or whose stream or model no longer exists.
        const wanted = page.items.filter(
          (each) =>
            each.id <= last &&
            (each.parked ? registered.has(each.modelId) : homeOf(each)) &&
            (!reason || hasReason(each, reason)),
        );
        let end = page.cursor;
        for (const letter of wanted) {
          try {
            if (await redrive(letter)) redriven++;
          } catch (error) {
            // A record that the stream can never accept must not hold back the later ones.
            if (!isPermanent(error)) throw error;
            logError(error);
          }
          // If AWS is slow, a whole page would take longer than the request may last.
          if (clock.now() < until) continue;
          end = letter.id;
          break;
        }
        after = end !== undefined && end < last ? end : undefined;
      } while (after !== undefined && clock.now() < until);
      return context.json(
        { redriven, ...cursorMember('redrive', after && `${after} ${last}`, query) },
        202,
      );
    })
    .get('/:id', describeOperation(operations.one), async (context) =>
      context.json(
        deadLetterView(await opened(await findLetter(deadLetters, context.req.param('id')))),
      ),
    )
    .post('/:id/redrive', describeOperation(operations.redrive), async (context) => {
      const letter = await findLetter(deadLetters, context.req.param('id'));
      if (letter.parked) {
        const queued = await parking.find(instanceOfLetter(letter), [letter.parked]);
        if (queued.length === 0) {
          // The event is no longer parked, but a delayed write to DynamoDB restored its dead letter.
          await deadLetters.remove(letter.id);
          return context.json({ redriven: 0 }, 202);
        }
        await checkRedrivable(models, instanceOfLetter(letter));
      }
      return context.json({ redriven: Number(await redrive(letter)) }, 202);
    })
    .delete('/:id', describeOperation(operations.remove), async (context) => {
      const letter = await findLetter(deadLetters, context.req.param('id'));
      if (letter.parked) {
        const instance = instanceOfLetter(letter);
        await skipParkedEvent({ parking, deadLetters }, instance, letter.parked);
        // The model may now be able to apply the events that were queued after the deleted event.
        await ownStream.put([redriveRecord(instance)]);
      }
      // Remove the dead letter last, because a failed call can be retried only while it exists.
      await deadLetters.remove(letter.id);
      return context.body(null, 204);
    });
}

/** The position in a bulk redrive, which is the content of its cursor. */
interface RedrivePlace {
  /** The id of the last dead letter that was read; undefined at the start. */
  readonly after: string | undefined;
  /**
   * The id of the newest dead letter at the start. A record that is rejected again results in a dead letter with a
   * higher id, so the redrive ends.
   */
  readonly last: string;
}

async function startOf(deadLetters: DeadLetterStore): Promise<RedrivePlace> {
  const { items } = await deadLetters.list({ limit: 1 });
  return { after: undefined, last: items[0]?.id ?? '' };
}

function parsePlace(cursor: string): RedrivePlace {
  const [after, last] = cursor.split(' ');
  if (!after || !last) throw unknownCursorProblem();
  return { after, last };
}

async function findLetter(deadLetters: DeadLetterStore, id: string): Promise<DeadLetter> {
  const letter = deadLetterIdPattern.test(id) ? await deadLetters.get(id) : undefined;
  if (letter) return letter;
  throw new Problem(404, `there is no dead letter ${id}`);
}

function instanceOfLetter({ modelId, transactionId }: DeadLetter): InstanceKey {
  return { model: modelId!, transaction: transactionId! };
}

const tag = 'dead letters';
const operations = {
  list: {
    summary: 'List dead letters',
    description:
      'Returns the dead letters with their reasons and raw bytes, newest first. To make the response much smaller, omit the bytes with `raw=false`.',
    tag,
    answers: { 200: deadLetterPage },
    problems: [404],
    query: { ...pageQuery, raw: flag('raw', 'false to omit the bytes of the records') },
  },
  one: {
    summary: 'Get a dead letter',
    description: 'Returns a dead letter with its reason and raw bytes.',
    tag,
    path: letterPath,
    answers: { 200: deadLetter },
    problems: [404],
  },
  redriveMany: {
    summary: 'Redrive all dead letters',
    description:
      'Puts rejected records back on the stream, and retries parked events, oldest first. Skips parked events whose model is not registered, rejected notifications if the tracker no longer publishes any, records that the stream permanently rejects, and dead letters that another request is redriving. Repeat the request with the returned `cursor` until a response contains no `cursor`.',
    tag,
    answers: { 202: redrivenPage },
    problems: [404],
    query: {
      reason: v.optional(
        v.pipe(
          v.string(),
          v.description(
            'only dead letters with this reason. You can omit the id of the event from the reason of a model failure, and the value of an invalid time from the reason of a rejected record.',
          ),
        ),
      ),
      cursor: pageQuery.cursor,
    },
  },
  redrive: {
    summary: 'Redrive a dead letter',
    description:
      'Puts a rejected record back on the stream, unless another request is doing so (`redriven` is 0). If the dead letter is a parked event, retries the parked events of its instance, in order.',
    tag,
    path: letterPath,
    answers: { 202: redriven },
    problems: [404, 409],
  },
  remove: {
    summary: 'Delete a dead letter',
    description:
      'Deletes a dead letter. If the dead letter is a parked event, its instance skips the event. If the stream is read again, Milepost processes the record again.',
    tag,
    path: letterPath,
    answers: { 204: null },
    problems: [404],
  },
} satisfies Record<string, Operation>;
