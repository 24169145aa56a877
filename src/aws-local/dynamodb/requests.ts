import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Store } from 'dynalite/db/index.js';
import { detachListeners } from '../endpoints/buffered-request.ts';
import { isWriteFailure } from '../endpoints/serve.ts';
import { batchGetItem } from './batch-get-item.ts';
import { batchWriteItem } from './batch-write-item.ts';
import { itemOperations } from './dynalite-operations.ts';
import { batchExecuteStatement, executeStatement } from './execute-statements.ts';
import { executeWithMetrics } from './item-collection-metrics.ts';
import { isResponseError, responseError } from './response-error.ts';

/** Returns the response, or its JSON. Throws a `ResponseError` if the response is an error. */
type Operation = (store: Store, request: object) => Promise<object | string>;

const maximumBytes = 16 * 1024 * 1024;
const target = 'DynamoDB_20120810.';

const operations = new Map<string, Operation>([
  ...itemOperations.map((name): [string, Operation] => [
    name,
    (store, request) => executeWithMetrics(store, name, request),
  ]),
  ['BatchGetItem', batchGetItem],
  ['BatchWriteItem', batchWriteItem],
  ['BatchExecuteStatement', batchExecuteStatement],
  ['ExecuteStatement', executeStatement as Operation],
]);

/** Handles signed requests of the operations on items. Passes other requests to dynalite. */
export function handleItemRequests(server: Server, store: Store): void {
  const others = detachListeners(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const operation = operationOf(request);
    if (operation === undefined) return others(request, response);
    readBody(request, (body) => {
      if (body === undefined) response.writeHead(413).end();
      else void respond(() => operation(store, parse(body)), response);
    });
  });
}

function operationOf({ headers }: IncomingMessage): Operation | undefined {
  const { 'x-amz-target': name = '', authorization } = headers;
  if (!authorization?.startsWith('AWS4-') || !String(name).startsWith(target)) return undefined;
  return operations.get(String(name).slice(target.length));
}

/** Calls `done` with the body of a request, or with undefined if it is too long. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maximumBytes) chunks.push(chunk);
  });
  request.on('end', () => done(length <= maximumBytes ? Buffer.concat(chunks) : undefined));
}

function parse(body: Buffer): object {
  try {
    return JSON.parse(body.toString()) as object;
  } catch {
    throw responseError('SerializationException', 'The request must be JSON.');
  }
}

async function respond(
  run: () => Promise<object | string>,
  response: ServerResponse,
): Promise<void> {
  try {
    const result = await run();
    send(response, 200, typeof result === 'string' ? result : JSON.stringify(result));
  } catch (error) {
    if (isResponseError(error)) return send(response, error.statusCode, JSON.stringify(error.body));
    if (isWriteFailure(error)) throw error;
    process.stderr.write(`${String(error)}\n`);
    const { body } = responseError('InternalServerError', String(error));
    send(response, 500, JSON.stringify(body));
  }
}

function send(response: ServerResponse, status: number, json: string): void {
  const body = Buffer.from(json);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-crc32': crc32(body),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(body);
}
