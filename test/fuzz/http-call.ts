import type { Hono } from 'hono';
import { httpFunction } from '../../lambdas/support/http/http-function.ts';
import { functionUrl, httpApi } from '../../src/aws-local/api-gateway/ingress.ts';
import { proxyEvent } from '../../src/aws-local/api-gateway/proxy-event.ts';
import { proxyResult } from '../../src/aws-local/api-gateway/proxy-result.ts';
import { routeMatcher } from '../../src/common/match-route.ts';
import { apiRoutes } from '../../src/routes/api-routes.ts';
import { must } from './accounts.ts';

/** An HTTP request to the API. */
export interface Call {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly ingress: 'httpApi' | 'functionUrl';
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const match = routeMatcher(apiRoutes);
const ingresses = { httpApi, functionUrl };

/**
 * Sends a request to the API as an API Gateway HTTP API or a function URL would. Resolves with undefined if AWS would
 * reject the request.
 */
export async function send(app: Hono, call: Call): Promise<Reply | undefined> {
  const ingress = ingresses[call.ingress];
  const paths = ingress.paths(call.target.replace(/\?.*$/s, ''));
  if (paths === undefined) return undefined;
  const route = match(call.method, paths.matched.split('/'));
  if (route === undefined) return undefined;
  const origin = { requestId: 'r', timeEpoch: 0 };
  const event = proxyEvent(
    {
      method: call.method,
      target: call.target,
      rawHeaders: call.contentType === undefined ? [] : ['content-type', call.contentType],
      body: Buffer.from(call.body),
      sourceIp: '127.0.0.1',
      httpVersion: '1.1',
      port: 80,
    },
    paths,
    route,
    { ...origin, keepsCookieHeader: ingress.keepsCookieHeader },
  );
  const result = await httpFunction(app, apiRoutes)(event as never, {} as never);
  const response = proxyResult(JSON.stringify(result), ingress.defaultContentType);
  must(response !== undefined, () => `no response: ${JSON.stringify(result)}`);
  const { statusCode, headers, body } = response;
  return {
    status: statusCode,
    contentType: String(headers['content-type']),
    body: body.toString(),
  };
}
