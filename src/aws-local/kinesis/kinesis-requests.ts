import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  type BufferedRequest,
  bufferRequest,
  dispatchRequest,
} from '../endpoints/buffered-request.ts';
import { explainUnknown, kinesisOperations } from '../endpoints/operations.ts';
import { detachListeners } from '../server/detach-listeners.ts';
import { cborToJson, cborType, jsonToCbor } from './aws-cbor.ts';
import { correctedResponse } from './correct-responses.ts';
import { exceedsRecordLimit, recordsTooLarge } from './record-limit.ts';
import { nameStream } from './stream-arn.ts';

const jsonType = 'application/x-amz-json-1.1';
/** The maximum size of a request, in bytes: enough for 10 MiB of records in Base64, with the names in the JSON. */
const maximumBytes = 16 * 1024 * 1024;

/**
 * Translates requests into the form that kinesalite supports:
 *
 * - CBOR requests are converted to JSON, and their responses to CBOR. kinesalite itself would store data from CBOR and
 *   JSON requests with different types, and return it unconverted.
 * - A stream's ARN is replaced by its name.
 * - Unsupported operations are rejected with an explanation.
 * - Wrong and missing responses are corrected.
 *
 * @param onPut called with the stream and each shard that has new records, after the response to the request that put
 *   them.
 */
export function translateRequests(
  server: Server,
  onPut: (streamName: string, shardId: string) => void,
): void {
  const kinesalite = detachListeners(server);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await bufferRequest(request, maximumBytes);
    const type = typeOf(request);
    if (received === undefined)
      return send(response, type ?? jsonType, 400, JSON.stringify(recordsTooLarge));
    const unknown = explainUnknown(request.headers['x-amz-target'], kinesisOperations);
    if (unknown !== undefined) {
      const error = { __type: 'UnknownOperationException', message: unknown };
      return send(response, type ?? jsonType, 400, JSON.stringify(error));
    }
    // kinesalite itself rejects other content types and requests without a body.
    if (type === undefined || received.body.length === 0)
      return dispatchRequest(kinesalite, received, response);
    const json = translate(received, type);
    if ('__type' in json) return send(response, type, 400, JSON.stringify(json));
    const { status, headers, body } = await correctedResponse(kinesalite, json);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    send(response, type, status, body);
    if (!/\.PutRecords?$/.test(String(request.headers['x-amz-target']))) return;
    const [, stream] = /"StreamName"\s*:\s*"([^"]+)"/.exec(json.body.toString()) ?? [];
    const shards = new Set(Array.from(body.matchAll(/"ShardId":"([^"]+)"/g), ([, shard]) => shard));
    // Do not wait until the response has been sent: even if the client has disconnected, the records are stored.
    setImmediate(() => {
      for (const shard of shards) if (stream && shard) onPut(stream, shard);
    });
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The usual cause is a client that disconnects during its request.
    respond(request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.destroy();
    });
  });
}

type MediaType = typeof jsonType | typeof cborType;

function typeOf({ headers }: Pick<BufferedRequest, 'headers'>): MediaType | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim();
  return type === jsonType || type === cborType ? type : undefined;
}

/** Translates a request for kinesalite, or returns the body of an error response. */
function translate(
  request: BufferedRequest,
  type: MediaType,
): BufferedRequest | { readonly __type: string } {
  const json = type === cborType ? fromCbor(request.body) : request.body.toString();
  if (json === undefined) return { __type: 'SerializationException' };
  const named = nameStream(json);
  if (typeof named !== 'string') return named;
  if (exceedsRecordLimit(named)) return recordsTooLarge;
  const headers = { ...request.headers, 'content-type': jsonType };
  return { ...request, headers, body: Buffer.from(named) };
}

function fromCbor(body: Buffer): string | undefined {
  try {
    return cborToJson(body);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, type: MediaType, status: number, json: string): void {
  const body = type === jsonType || json === '' ? Buffer.from(json) : jsonToCbor(json);
  response.setHeader('content-type', type);
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}
