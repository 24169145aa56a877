import { Hono } from 'hono';
import { type DeadLetter, isDeadLetterId } from '../core/dead-letter.ts';
import type { InstanceKey } from '../core/event.ts';
import type { DeadLetterStore } from '../service/ports.ts';
import type { ApiEnvironment } from './app.ts';
import { cursorMember, pageRequest } from './paging.ts';
import { Problem } from './problem.ts';
import { redriveRecord } from './redrive-record.ts';
import { deadLetterView } from './views.ts';

/** How long one request puts letters on the stream, in milliseconds; the caller goes on from there. */
const timeForMany = 15_000;
const pageSize = 100;

/** Records that were no events, and events that are parked: see them, redrive them, delete them. */
export function deadLetterRoutes({
  deadLetters,
  parking,
  stream,
  clock,
}: Pick<ApiEnvironment, 'deadLetters' | 'parking' | 'stream' | 'clock'>): Hono {
  const redrive = async (letter: DeadLetter) => {
    if (letter.parked) return stream.put([redriveRecord(instanceOf(letter))]);
    // In this order: when it fails in between, the record is there twice and not lost.
    await stream.put([{ partitionKey: letter.partitionKey, data: letter.raw }]);
    return deadLetters.remove(letter.id);
  };
  return new Hono()
    .get('/', async (context) => {
      const page = await deadLetters.list(pageRequest(context.req.query()));
      const letters = page.items.map((letter) => deadLetterView(letter));
      return context.json({ deadLetters: letters, ...cursorMember(page.cursor) });
    })
    .post('/redrive', async (context) => {
      const { reason } = context.req.query();
      const query = pageRequest({ ...context.req.query(), limit: String(pageSize) });
      const until = clock.now() + timeForMany;
      let redriven = 0;
      let cursor = query.cursor;
      do {
        const page = await deadLetters.list({ limit: pageSize, ...(cursor ? { cursor } : {}) });
        for (const letter of page.items.filter((each) => !reason || each.reason === reason)) {
          await redrive(letter);
          redriven++;
        }
        cursor = page.cursor;
      } while (cursor !== undefined && clock.now() < until);
      return context.json({ redriven, ...cursorMember(cursor) }, 202);
    })
    .get('/:id', async (context) =>
      context.json(deadLetterView(await find(deadLetters, context.req.param('id')))),
    )
    .post('/:id/redrive', async (context) => {
      await redrive(await find(deadLetters, context.req.param('id')));
      return context.json({ redriven: 1 }, 202);
    })
    .delete('/:id', async (context) => {
      const letter = await find(deadLetters, context.req.param('id'));
      if (letter.parked) {
        const instance = instanceOf(letter);
        await parking.remove(instance, letter.parked);
        await deadLetters.remove(letter.id);
        // What waited behind it may have nothing to wait for any more.
        await stream.put([redriveRecord(instance)]);
      } else await deadLetters.remove(letter.id);
      return context.body(null, 204);
    });
}

async function find(deadLetters: DeadLetterStore, id: string): Promise<DeadLetter> {
  const letter = isDeadLetterId(id) ? await deadLetters.get(id) : undefined;
  if (letter) return letter;
  throw new Problem(404, `there is no dead letter ${id}`);
}

function instanceOf({ modelId, transactionId }: DeadLetter): InstanceKey {
  return { model: modelId!, transaction: transactionId! };
}
