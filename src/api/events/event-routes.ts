import { type Context, Hono } from 'hono';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { named } from '../http/named.ts';
import { Problem } from '../http/problem.ts';
import { count } from '../http/schema-values.ts';
import { isBinaryMode, textOfBinaryEvent } from './binary-mode.ts';
import { eventBodies } from './event-body.ts';
import { readIncomingEvents } from './incoming-events.ts';

/** Accepts events over HTTP and puts them on the stream. */
export function eventRoutes({
  stream,
  clock,
  traceparent,
}: Pick<ApiDependencies, 'stream' | 'clock' | 'traceparent'>): Hono {
  return new Hono().post('/', describeOperation(operation), async (context) => {
    rejectEncoded(context);
    const body = decodeBody(new Uint8Array(await context.req.arrayBuffer()));
    const headers = context.req.header();
    const events = isBinaryMode(headers) ? textOfBinaryEvent(headers, body) : body;
    const records = readIncomingEvents(events, clock.now(), traceparent?.());
    await stream.put(records);
    return context.json({ accepted: records.length }, 202);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeBody(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new Problem(400, 'the body must be UTF-8');
  }
}

/**
 * Rejects a compressed body. An API Gateway HTTP API passes the compressed bytes to the function; only a REST API
 * decompresses them.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-make-request-with-compressed-payload.html
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
 */
function rejectEncoded(context: Context): void {
  const coding = context.req.header('content-encoding')?.trim() ?? '';
  if (/^(?:identity)?$/i.test(coding)) return;
  context.header('accept-encoding', 'identity');
  throw new Problem(415, `the body must not be compressed; got \`content-encoding: ${coding}\``);
}

const operation: Operation = {
  id: 'sendEvents',
  summary: 'Send events',
  description:
    'Puts up to 500 events on the stream. If any event is invalid, the service accepts none, and the response lists every invalid event by its index.',
  tag: 'events',
  problems: [415],
  answers: { 202: named('AcceptedEvents', { accepted: count }) },
  body: {
    text: 'one event, or an array of up to 500; parsed as JSON regardless of the content type. In the binary content mode of CloudEvents, which a request uses if it has a header such as `ce-id`, the body is the `data` of one event, and the headers are its attributes',
    schemas: eventBodies,
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
