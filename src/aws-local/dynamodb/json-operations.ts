import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { dispatchRequest } from '../endpoints/buffered-request.ts';
import { isWriteFailure } from '../endpoints/serve.ts';
import { detachListeners } from '../server/detach-listeners.ts';
import { DynamoDbError, validationError } from './dynamodb-error.ts';
import { isResponseError } from './response-error.ts';
import { nameTable } from './table-arn.ts';

/** Returns the response to a request as an object or as JSON, or undefined if dynalite must execute the request. */
export type JsonOperation = (request: unknown) => Promise<object | string> | undefined;

/** The maximum size of a DynamoDB request, in bytes. */
const maximumBytes = 16 * 1024 * 1024;

const requestTooLarge = {
  __type: 'com.amazon.coral.service#RequestEntityTooLargeException',
  message: 'A request must not exceed 16 MB.',
};

/**
 * Adds operations to a DynamoDB server. dynalite receives all other requests, and rejects requests without a signature.
 *
 * @param operations the operations by `X-Amz-Target`, such as `DynamoDB_20120810.UpdateTimeToLive`.
 */
export function addOperations(
  server: Server,
  operations: Readonly<Record<string, JsonOperation>>,
): void {
  const others = detachListeners(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'x-amz-target': target, authorization = '' } = request.headers;
    const operation = Object.hasOwn(operations, String(target)) && operations[String(target)];
    if (!operation || !authorization.startsWith('AWS4-')) return others(request, response);
    readBody(request, (body) => {
      if (body === undefined) return send(response, 413, requestTooLarge);
      const { method = '', url = '/', headers } = request;
      const pass = () => dispatchRequest(others, { method, url, headers, body }, response);
      void respond(() => operation(nameTable(objectOf(parse(body)))), pass, response);
    });
  });
}

/** Calls `done` with the body of a request, or with undefined if the body is too long. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maximumBytes) chunks.push(chunk);
  });
  request.on('end', () => done(length <= maximumBytes ? Buffer.concat(chunks) : undefined));
}

async function respond(
  run: () => ReturnType<JsonOperation>,
  pass: () => void,
  response: ServerResponse,
): Promise<void> {
  try {
    const result = run();
    if (result === undefined) return pass();
    send(response, 200, await result);
  } catch (error) {
    if (isResponseError(error)) return send(response, error.statusCode, error.body);
    if (isWriteFailure(error)) throw error;
    process.stderr.write(`${String(error)}\n`);
    const __type = 'com.amazonaws.dynamodb.v20120810#InternalServerError';
    send(response, 500, { __type });
  }
}

function send(response: ServerResponse, status: number, result: object | string): void {
  const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result));
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-crc32': crc32(body),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(body);
}

/** Validates a request against a schema and returns it. @throws DynamoDbError if the request is invalid. */
export function validRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  request: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, request);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw validationError(`${v.getDotPath(issue) ?? 'the request'}: ${issue.message}`);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    throw new DynamoDbError('SerializationException', 'The request must be JSON.');
  }
}

/** Returns a request that is a JSON object or array. @throws DynamoDbError for any other JSON, such as `null`. */
export function objectOf(request: unknown): object {
  if (typeof request === 'object' && request !== null) return request;
  throw new DynamoDbError('SerializationException', 'The request must be a JSON object.');
}
