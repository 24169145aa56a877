import { Hono } from 'hono';
import { toIso } from '../core/time.ts';
import type { ApiEnvironment } from './app.ts';
import { readEvents } from './incoming-events.ts';

/** Events come in by the stream; this puts them there. */
export function eventRoutes({ stream, clock }: Pick<ApiEnvironment, 'stream' | 'clock'>): Hono {
  return new Hono().post('/', async (context) => {
    const body = new Uint8Array(await context.req.arrayBuffer());
    const records = readEvents(body, toIso(clock.now()));
    await stream.put(records);
    return context.json({ accepted: records.length }, 202);
  });
}
