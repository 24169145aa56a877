import { Hono } from 'hono';
import type { ApiEnvironment } from '../api-dependencies.ts';
import { describe, type Operation } from '../http/describe.ts';
import { done } from '../schemas.ts';
import { eventBody } from './event-body.ts';
import { readEvents } from './incoming-events.ts';

/** Events come in by the stream; this puts them there. */
export function eventRoutes({
  stream,
  clock,
  traceparent,
}: Pick<ApiEnvironment, 'stream' | 'clock' | 'traceparent'>): Hono {
  return new Hono().post('/', describe(operation), async (context) => {
    const body = new Uint8Array(await context.req.arrayBuffer());
    const records = readEvents(body, clock.now(), traceparent?.());
    await stream.put(records);
    return context.json({ accepted: records.length }, 202);
  });
}

const operation: Operation = {
  summary: 'Puts events on the stream, all of them or none',
  tag: 'events',
  answers: { 202: done.accepted },
  body: {
    text: 'one event, or up to 500, read as JSON whatever the content type',
    schema: eventBody,
  },
};
