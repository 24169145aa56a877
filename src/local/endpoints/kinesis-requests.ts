import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { cborToJson, cborType, jsonToCbor } from './aws-cbor.ts';
import { answerTo, detachListeners, type ReceivedRequest, receive, replay } from './replay.ts';

const jsonType = 'application/x-amz-json-1.1';
/** The longest request that Kinesis takes. */
const maximumBytes = 7 * 1024 * 1024;

/**
 * Has kinesalite read every request as JSON, and answers each client in the encoding that it asked in.
 * kinesalite itself stores data that came in CBOR as another type than data that came in JSON, and gives
 * the one to readers of the other.
 */
export function translateRequests(server: Server): void {
  const kinesalite = detachListeners(server);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request, maximumBytes);
    if (received === undefined) return void response.writeHead(413).end();
    if (!isCbor(received)) return replay(kinesalite, received, response);
    const json = toJson(received);
    if (json === undefined) return sendCbor(response, 400, '{"__type":"SerializationException"}');
    const { status, headers, body } = await answerTo(kinesalite, json);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendCbor(response, status, body);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Mostly a client that went away in the middle of its request.
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.destroy();
    });
  });
}

/** A request without a body is left to kinesalite, which refuses it. */
const isCbor = ({ headers, body }: ReceivedRequest) =>
  headers['content-type']?.split(';')[0]?.trim() === cborType && body.length > 0;

function toJson(request: ReceivedRequest): ReceivedRequest | undefined {
  try {
    const headers = { ...request.headers, 'content-type': jsonType };
    return { ...request, headers, body: Buffer.from(cborToJson(request.body)) };
  } catch {
    return undefined;
  }
}

function sendCbor(response: ServerResponse, status: number, json: string): void {
  const body = json === '' ? json : jsonToCbor(json);
  response.setHeader('content-type', cborType);
  response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}
