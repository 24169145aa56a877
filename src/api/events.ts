import { Hono } from 'hono';
import type { ApiEnvironment } from './app.ts';
import { describe, type Operation } from './describe.ts';
import { readEvents } from './incoming-events.ts';
import { done } from './schemas.ts';

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

const event = {
  type: 'object',
  description: 'a CloudEvent, of at most 256 KB',
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string', minLength: 1 },
    source: {
      type: 'string',
      minLength: 1,
      description:
        'the system that reports it; it must not start with `milepost:`, which is reserved for ' +
        "Milepost's own events",
      not: { pattern: '^[Mm][Ii][Ll][Ee][Pp][Oo][Ss][Tt]:' },
    },
    type: { type: 'string', minLength: 1 },
    modelid: { type: 'string', description: 'the model that takes it' },
    transactionid: { type: 'string', description: 'the instance that it happened to' },
    time: { type: 'string', format: 'date-time' },
    data: { description: 'any JSON, as the model wants it' },
    traceparent: { type: 'string', description: 'the trace that it belongs to (W3C)' },
  },
  required: ['id', 'type', 'modelid', 'transactionid'],
};

const operation: Operation = {
  summary: 'Puts events on the stream, all of them or none',
  tag: 'events',
  answers: { 202: done.accepted },
  problems: [400],
  body: {
    text: 'one event, or up to 500',
    schema: { oneOf: [event, { type: 'array', items: event, maxItems: 500 }] },
  },
};
