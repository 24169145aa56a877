import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { routeMatcher } from '../../common/match-route.ts';
import { messageOf } from '../../common/message-of.ts';
import { createAsyncServer } from '../server/async-server.ts';
import { readBody } from '../server/read-body.ts';
import { type ErrorResponse, httpApi, type Ingress } from './ingress.ts';
import { proxyEvent } from './proxy-event.ts';
import { type OutgoingResponse, proxyResult } from './proxy-result.ts';

/** A route and the name of the function that handles its requests. */
export interface HttpRoute {
  /** A method and a path, such as `GET /pets/{id}`, or `$default`. */
  readonly routeKey: string;
  readonly functionName: string;
}

export interface HttpGatewayOptions {
  /**
   * The routes. Requests wait until this promise resolves, and a request that matches no route receives a 404 response.
   */
  readonly routes: Promise<readonly HttpRoute[]>;
  /**
   * Invokes a function with one event. The event and the payload are JSON. Rejects with an error whose `code` is
   * `TooManyRequestsException` if the invocation is throttled, or `RequestEntityTooLargeException` if the event is too
   * large.
   */
  readonly invoke: (
    functionName: string,
    event: string,
  ) => Promise<{ payload: string; functionError?: string }>;
  /** The AWS service to imitate. Default: an HTTP API. */
  readonly ingress?: Ingress;
  /** Logs the cause of an error response that does not contain the cause itself. Default: no log. */
  readonly log?: (line: string) => void;
}

/**
 * Creates an HTTP server in front of functions, like API Gateway or a function URL. The caller starts and closes the
 * server.
 */
export function createHttpGateway(options: HttpGatewayOptions): Server {
  const find = options.routes.then(functionFinder);
  return createAsyncServer((request, response) => handleRequest(options, find, request, response));
}

/** Returns a function that finds the route and the Lambda function for a request. */
function functionFinder(routes: readonly HttpRoute[]) {
  const match = routeMatcher(routes.map(({ routeKey }) => routeKey));
  const functions = new Map(routes.map(({ routeKey, functionName }) => [routeKey, functionName]));
  return (method: string, path: string) => {
    const route = match(method, path.split('/'));
    return route && { route, functionName: functions.get(route.routeKey)! };
  };
}

async function handleRequest(
  options: HttpGatewayOptions,
  find: Promise<ReturnType<typeof functionFinder>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { ingress = httpApi } = options;
  const target = request.url ?? '/';
  const paths = ingress.paths(target.replace(/\?.*$/s, ''));
  if (paths === undefined) return sendError(request, response, ingress.badRequest);
  const method = request.method ?? 'GET';
  const found = (await find)(method, paths.matched);
  if (found === undefined) return sendError(request, response, ingress.notFound);
  const body = await readBody(request, ingress.maximumBodyBytes);
  if (body.length > ingress.maximumBodyBytes) return sendError(request, response, ingress.tooLarge);
  const requestId = randomUUID();
  const event = proxyEvent(
    {
      method,
      target,
      rawHeaders: request.rawHeaders,
      body,
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      httpVersion: request.httpVersion,
      port: request.socket.localPort ?? 0,
    },
    paths,
    found.route,
    {
      requestId,
      timeEpoch: Date.now(),
      keepsCookieHeader: ingress.keepsCookieHeader,
    },
  );
  const result = await run(options, ingress, found.functionName, JSON.stringify(event));
  if ('contentType' in result) return sendError(request, response, result);
  response.setHeader(ingress.requestIdHeader, requestId);
  response.writeHead(result.statusCode, withLength(method, result)).end(result.body);
}

async function run(
  { invoke, log }: HttpGatewayOptions,
  ingress: Ingress,
  functionName: string,
  event: string,
): Promise<OutgoingResponse | ErrorResponse> {
  try {
    const { payload, functionError } = await invoke(functionName, event);
    const result =
      functionError === undefined ? proxyResult(payload, ingress.defaultContentType) : undefined;
    if (result === undefined)
      log?.(`the function failed or returned an invalid response: ${payload}`);
    return result ?? ingress.functionError;
  } catch (error) {
    const code = error instanceof Error && 'code' in error && error.code;
    // The event contains the body as a JSON string or in Base64. Either form can be larger than the body itself.
    if (code === 'RequestEntityTooLargeException') return ingress.tooLarge;
    log?.(`the function ${functionName} could not be invoked: ${messageOf(error)}`);
    return code === 'TooManyRequestsException' ? ingress.throttled : ingress.functionError;
  }
}

function sendError(request: IncomingMessage, response: ServerResponse, error: ErrorResponse): void {
  // Drain the request body so that the connection can be reused.
  request.resume();
  const headers = {
    'content-type': error.contentType,
    'content-length': Buffer.byteLength(error.body),
  };
  response.writeHead(error.statusCode, headers).end(error.body);
}

function withLength(
  method: string,
  { statusCode, headers, body }: OutgoingResponse,
): OutgoingResponse['headers'] {
  if (statusCode === 204 || statusCode === 304) return headers;
  // `content-length` would have to contain the length of the response to GET (RFC 9110, section 9.3.2). This length is
  // unknown here.
  if (method === 'HEAD' && body.length === 0) return headers;
  return { ...headers, 'content-length': String(body.length) };
}
