import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isJson } from '../../common/is-json.ts';
import { acceptHttp2 } from '../server/accept-http2.ts';
import { createAsyncServer } from '../server/async-server.ts';
import { readBody } from '../server/read-body.ts';
import { answerMappingRequest, type OfferedMappings } from './event-source-mappings.ts';
import type { InvokeResponse } from './invocation.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import type { LambdaHost } from './lambda-host.ts';
import { requestLimitBytes } from './limits.ts';
import { functionList } from './list-functions.ts';

const functions = /^\/2015-03-31\/functions\/?$/;
const invocations = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;
const mappings = /^\/2015-03-31\/event-source-mappings(?:\/([^/]+))?\/?$/;

const operations =
  'The local Lambda endpoint supports only Invoke, ListFunctions, ListEventSourceMappings, ' +
  'GetEventSourceMapping, and UpdateEventSourceMapping.';

const noMappings: OfferedMappings = { list: () => [], log: () => {} };

/**
 * Serves Lambda's API over HTTP to the AWS SDKs and the AWS CLI: Invoke, ListFunctions, ListEventSourceMappings,
 * GetEventSourceMapping, and UpdateEventSourceMapping. The caller starts and closes the server. Signatures are not
 * verified.
 *
 * @param offered default: no event source mappings.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html
 */
export function createInvokeServer(host: LambdaHost, offered = noMappings): Server {
  return acceptHttp2(
    createAsyncServer((request, response) => answer(host, offered, request, response)),
  );
}

async function answer(
  host: LambdaHost,
  offered: OfferedMappings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://lambda');
    const mapping = mappings.exec(url.pathname);
    if (mapping) {
      const { status, body } = answerMappingRequest(offered, {
        method: request.method,
        uuid: mapping[1] === undefined ? undefined : decodeName(mapping[1]),
        query: url.searchParams,
        body: (await readBody(request, requestLimitBytes.RequestResponse)).toString(),
      });
      sendJson(response, body, status);
      return;
    }
    const [, name] = (request.method === 'POST' && invocations.exec(url.pathname)) || [];
    if (request.method === 'GET' && functions.test(url.pathname)) {
      sendJson(response, functionList(host.definitions()));
      return;
    }
    if (name === undefined) throw new LambdaApiError('UnknownOperationException', operations);
    const { headers } = request;
    const result = await host.invoke({
      functionName: decodeName(name),
      qualifier: url.searchParams.get('Qualifier') ?? undefined,
      invocationType: headers['x-amz-invocation-type']?.toString(),
      logTail: headers['x-amz-log-type'] === 'Tail',
      clientContext: decodeClientContext(headers['x-amz-client-context']?.toString()),
      payload: await readBody(request, requestLimitBytes.RequestResponse),
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

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
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
  if (isJson(json)) return json;
  throw new LambdaApiError(
    'InvalidRequestContentException',
    'Client context must be a valid Base64-encoded JSON object.',
  );
}
