import { Hono } from 'hono';
import * as v from 'valibot';
import { type DeadLetter, deadLetterIdPattern } from '../../core/event/dead-letter.ts';
import { unsealDeadLetter } from '../../model-runtime/sealing/sealed-events.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest } from '../http/paging.ts';
import { letterPath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { flag } from '../http/query-parameters.ts';
import { checkRedrivable } from '../instances/check-redrivable.ts';
import { deadLetter, deadLetterPage, redriven, redrivenPage } from './dead-letter-schemas.ts';
import { deadLetterSummary, deadLetterView } from './dead-letter-view.ts';
import { deleteDeadLetter } from './delete-dead-letter.ts';
import { redriveAll } from './redrive-all.ts';
import {
  instanceOfLetter,
  type RedriveDependencies,
  redriveDeadLetter,
} from './redrive-dead-letter.ts';

/** Lists, redrives, and deletes dead letters, which are rejected records and parked events. */
export function deadLetterRoutes(
  dependencies: RedriveDependencies &
    Pick<ApiDependencies, 'parking' | 'dataKeys' | 'models' | 'clock' | 'logError'>,
): Hono {
  const { deadLetters, parking, dataKeys, models } = dependencies;
  const opened = (letter: DeadLetter) => (dataKeys ? unsealDeadLetter(dataKeys, letter) : letter);
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
      const { cursor } = pageRequest('redrive', query);
      const result = await redriveAll(dependencies, { reason: query.reason, cursor });
      return context.json(
        { redriven: result.redriven, ...cursorMember('redrive', result.cursor, query) },
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
      const isRedriven = await redriveDeadLetter(dependencies, letter);
      return context.json({ redriven: Number(isRedriven) }, 202);
    })
    .delete('/:id', describeOperation(operations.remove), async (context) => {
      await deleteDeadLetter(dependencies, await findLetter(deadLetters, context.req.param('id')));
      return context.body(null, 204);
    });
}

async function findLetter(deadLetters: DeadLetterStore, id: string): Promise<DeadLetter> {
  const letter = deadLetterIdPattern.test(id) ? await deadLetters.get(id) : undefined;
  if (letter) return letter;
  throw new Problem(404, `there is no dead letter ${id}`);
}

const tag = 'dead letters';
const operations = {
  list: {
    id: 'listDeadLetters',
    summary: 'List dead letters',
    description:
      'Returns the dead letters with their reasons and raw bytes, newest first. To make the response much smaller, omit the bytes with `raw=false`.',
    tag,
    answers: { 200: deadLetterPage },
    problems: [404],
    query: { ...pageQuery, raw: flag('raw', 'false to omit the bytes of the records') },
  },
  one: {
    id: 'getDeadLetter',
    summary: 'Get a dead letter',
    description: 'Returns a dead letter with its reason and raw bytes.',
    tag,
    path: letterPath,
    answers: { 200: deadLetter },
    problems: [404],
  },
  redriveMany: {
    id: 'redriveDeadLetters',
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
            'only dead letters with this reason. You can omit the parts that differ between dead letters with the same cause: the id of the event (if a model failed), and quotations from the record, such as an invalid time.',
          ),
        ),
      ),
      cursor: pageQuery.cursor,
    },
  },
  redrive: {
    id: 'redriveDeadLetter',
    summary: 'Redrive a dead letter',
    description:
      'Puts a rejected record back on the stream, unless another request is already doing so (then `redriven` is 0). If the dead letter is a parked event, retries the parked events of its instance, in order (`redriven` is 0 if the event is no longer parked).',
    tag,
    path: letterPath,
    answers: { 202: redriven },
    problems: [404, 409],
  },
  remove: {
    id: 'deleteDeadLetter',
    summary: 'Delete a dead letter',
    description:
      'Deletes a dead letter. If the dead letter is a parked event, its instance skips the event. If the stream is read again, Milepost processes the record again.',
    tag,
    path: letterPath,
    answers: { 204: null },
    problems: [404],
  },
} satisfies Record<string, Operation>;
