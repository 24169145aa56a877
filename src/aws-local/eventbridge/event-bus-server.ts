import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { acceptHttp2 } from '../server/accept-http2.ts';
import { createAsyncServer } from '../server/async-server.ts';
import { readBody } from '../server/read-body.ts';
import type { PublishedEvent } from './bus-event.ts';
import { EventBusError } from './event-bus-error.ts';
import { maximumRequestBytes, putEvents, requestTooLarge } from './put-events.ts';

/**
 * Stores or forwards events. The server acknowledges the events when the function has returned or its promise has
 * resolved.
 */
export type AcceptEvents = (events: readonly PublishedEvent[]) => Promise<void> | void;

const operation = 'AWSEvents.PutEvents';
/**
 * The maximum size of a request body, in bytes. This limit leaves room for entries of the maximum size in which every
 * character is escaped.
 */
const maximumBodyBytes = 8 * maximumRequestBytes;

/**
 * Serves EventBridge's PutEvents over HTTP (AWS JSON 1.1) to the AWS SDKs and the AWS CLI. The caller starts and closes
 * the server. Signatures are not verified. Any bus name is accepted because AWS also accepts events for a bus that
 * does not exist.
 */
export function createEventBusServer(accept: AcceptEvents, clock: Clock = systemClock): Server {
  return acceptHttp2(
    createAsyncServer((request, response) => handleRequest(request, response, accept, clock)),
  );
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  accept: AcceptEvents,
  clock: Clock,
): Promise<void> {
  try {
    const body = await readBody(request, maximumBodyBytes);
    if (body.length > maximumBodyBytes) throw requestTooLarge();
    if (request.headers['x-amz-target'] !== operation)
      throw new EventBusError(
        'UnknownOperationException',
        'The local EventBridge endpoint supports only PutEvents.',
      );
    const put = putEvents(body.toString(), clock.now());
    await acceptEvents(accept, put.events);
    send(response, 200, put.response);
  } catch (error) {
    if (!(error instanceof EventBusError)) throw error;
    send(response, error.statusCode, { __type: error.code, message: error.message });
  }
}

async function acceptEvents(
  accept: AcceptEvents,
  events: readonly PublishedEvent[],
): Promise<void> {
  try {
    await accept(events);
  } catch (error) {
    throw new EventBusError('InternalException', messageOf(error), { cause: error });
  }
}

function send(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      'content-length': Buffer.byteLength(body),
      'x-amzn-requestid': randomUUID(),
    })
    .end(body);
}
