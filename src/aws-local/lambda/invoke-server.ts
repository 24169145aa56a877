import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { acceptHttp2 } from '../server/accept-http2.ts';
import type { InvokeResponse } from './invocation.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import type { LambdaHost } from './lambda-host.ts';
import { requestLimitBytes } from './limits.ts';
import { functionList } from './list-functions.ts';

const functions = /^\/2015-03-31\/functions\/?$/;
const invocations = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/**
 * Serves Lambda's Invoke and ListFunctions over HTTP to the AWS SDKs and the AWS CLI. The caller makes it listen on
 * 127.0.0.1 and closes it. Signatures are not verified.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function createInvokeServer(host: LambdaHost): Server {
  const server = createServer((request, response) => {
    answer(host, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  return acceptHttp2(server);
}

async function answer(
  host: LambdaHost,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://lambda');
    const [, name] = (request.method === 'POST' && invocations.exec(url.pathname)) || [];
    if (request.method === 'GET' && functions.test(url.pathname)) {
      sendJson(response, functionList(host.definitions()));
      return;
    }
    if (name === undefined) {
      const offered = 'The local Lambda endpoint supports only Invoke and ListFunctions.';
      throw new LambdaApiError('UnknownOperationException', offered);
    }
    const result = await host.invoke({
      functionName: decodeName(name),
      qualifier: url.searchParams.get('Qualifier') ?? undefined,
      invocationType: header(request, 'x-amz-invocation-type'),
      logTail: header(request, 'x-amz-log-type') === 'Tail',
      clientContext: decodeClientContext(header(request, 'x-amz-client-context')),
      payload: await readBody(request),
    });
    send(response, result);
  } catch (error) {
    if (!(error instanceof LambdaApiError)) throw error;
    refuse(response, error);
  } finally {
    // Drain the request body so that the connection can be reused.
    request.resume();
  }
}

function send(response: ServerResponse, result: InvokeResponse): void {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(result.payload),
    'x-amzn-requestid': result.requestId,
    'x-amzn-remapped-content-length': 0,
    'x-amz-executed-version': result.executedVersion,
    'x-amz-function-error': result.functionError,
    'x-amz-log-result': result.logResult,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(result.statusCode).end(result.payload);
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, error: LambdaApiError): void {
  const body = JSON.stringify(error.body);
  response
    .writeHead(error.statusCode, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-amzn-requestid': randomUUID(),
      'x-amzn-errortype': error.code,
    })
    .end(body);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The host reports a payload that is too large; slightly more than the limit is enough to detect it.
    if (length <= requestLimitBytes.RequestResponse + chunk.length) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function decodeClientContext(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  const json = Buffer.from(base64, 'base64').toString();
  try {
    JSON.parse(json);
    return json;
  } catch {
    throw new LambdaApiError(
      'InvalidRequestContentException',
      'Client context must be a valid Base64-encoded JSON object.',
    );
  }
}
