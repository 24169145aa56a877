import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { bufferRequest, detachListeners, dispatchRequest } from '../endpoints/buffered-request.ts';
import { isWriteFailure } from '../endpoints/serve.ts';

/** A DynamoDB error, as in its responses. */
export class DynamoDbError extends Error {
  /** The type of the error, such as `ResourceNotFoundException`. */
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = 'DynamoDbError';
    this.type = type;
  }
}

export const validationError = (message: string) =>
  new DynamoDbError('ValidationException', message);

/** Returns the response to a request, or undefined to leave the request to dynalite. */
export type JsonOperation = (request: unknown) => Promise<object> | undefined;

/** The maximum size of a DynamoDB request, in bytes. */
const maximumBytes = 16 * 1024 * 1024;
const contentType = 'application/x-amz-json-1.0';

/**
 * Adds operations to a DynamoDB server, and passes other requests on.
 *
 * @param operations the operations by `X-Amz-Target`, such as `DynamoDB_20120810.UpdateTimeToLive`
 */
export function addOperations(
  server: Server,
  operations: Readonly<Record<string, JsonOperation>>,
): void {
  const others = detachListeners(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const target = String(request.headers['x-amz-target']);
    const operation = Object.hasOwn(operations, target) ? operations[target] : undefined;
    if (operation === undefined) return others(request, response);
    const respond = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body));
    };
    bufferRequest(request, maximumBytes)
      .then(async (received) => {
        if (received === undefined) return void response.writeHead(413).end();
        const result = operation(parse(received.body));
        if (result === undefined) return dispatchRequest(others, received, response);
        respond(200, await result);
      })
      .catch((error: unknown) => {
        if (isWriteFailure(error)) throw error;
        if (error instanceof DynamoDbError) {
          const __type = `com.amazonaws.dynamodb.v20120810#${error.type}`;
          return respond(400, { __type, message: error.message });
        }
        process.stderr.write(`${String(error)}\n`);
        respond(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
      });
  });
}

/** Returns a request that conforms to a schema. @throws DynamoDbError otherwise */
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
