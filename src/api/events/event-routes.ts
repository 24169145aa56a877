import { Hono } from 'hono';
import * as v from 'valibot';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { count } from '../http/schema-values.ts';
import { eventBody } from './event-body.ts';
import { readIncomingEvents } from './incoming-events.ts';

/** Accepts events over HTTP and puts them on the stream. */
export function eventRoutes({
  stream,
  clock,
  traceparent,
}: Pick<ApiDependencies, 'stream' | 'clock' | 'traceparent'>): Hono {
  return new Hono().post('/', describeOperation(operation), async (context) => {
    const body = new Uint8Array(await context.req.arrayBuffer());
    const records = readIncomingEvents(body, clock.now(), traceparent?.());
    await stream.put(records);
    return context.json({ accepted: records.length }, 202);
  });
}

const operation: Operation = {
  summary: 'Send events',
  description:
    'Puts up to 500 events on the stream. If any event is invalid, the service accepts none, and the response lists every invalid event by its index.',
  tag: 'events',
  answers: { 202: v.object({ accepted: count }) },
  body: {
    text: 'one event, or an array of up to 500; parsed as JSON regardless of the content type',
    schema: eventBody,
    example: {
      specversion: '1.0',
      id: 'e1',
      source: 'tv',
      type: 'account.created',
      modelid: 'activation',
      transactionid: 'ATV-123',
    },
  },
};
