import { Hono } from 'hono';
import { isDeadLetterId } from '../core/dead-letter.ts';
import type { ApiEnvironment } from './app.ts';
import { cursorMember, pageRequest } from './paging.ts';
import { Problem } from './problem.ts';
import { deadLetterView } from './views.ts';

/** Records that were no events, and putting them on the stream again. */
export function deadLetterRoutes({
  deadLetters,
  stream,
}: Pick<ApiEnvironment, 'deadLetters' | 'stream'>): Hono {
  return new Hono()
    .get('/', async (context) => {
      const page = await deadLetters.list(pageRequest(context.req.query()));
      const letters = page.items.map((letter) => deadLetterView(letter));
      return context.json({ deadLetters: letters, ...cursorMember(page.cursor) });
    })
    .post('/:id/redrive', async (context) => {
      const id = context.req.param('id');
      const letter = isDeadLetterId(id) ? await deadLetters.get(id) : undefined;
      if (!letter) throw new Problem(404, `there is no dead letter ${id}`);
      // In this order: when it fails in between, the record is there twice and not lost.
      await stream.put([{ partitionKey: letter.partitionKey, data: letter.raw }]);
      await deadLetters.remove(id);
      return context.json({ redriven: 1 }, 202);
    });
}
