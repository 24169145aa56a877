import type { Server } from 'node:http';
import { createHttpGateway, type HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import {
  type ErrorResponse,
  functionUrl,
  type Ingress,
} from '../../aws-local/api-gateway/ingress.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { useOriginForm } from '../../aws-local/server/origin-form.ts';
import type { LazyPages } from '../pages/lazy-pages.ts';
import { createPagesServer } from '../pages/pages-server.ts';
import { createHealthServer, type StalledStreamShard } from './health-server.ts';

export interface ApiServerOptions {
  /** The routes of the HTTP API. Requests wait until this promise resolves. */
  readonly routes: Promise<readonly HttpRoute[]>;
  readonly host: Pick<LambdaHost, 'invoke'>;
  readonly pages: LazyPages;
  readonly stalledShards: () => readonly StalledStreamShard[];
  readonly log: (line: string) => void;
}

const problem = (status: number, title: string, detail: string): ErrorResponse => ({
  statusCode: status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ title, status, detail }),
});

/**
 * The behavior of the local HTTP API. Routes match as in AWS, but functions receive the raw path, as from a function
 * URL. An HTTP API decodes the path twice and therefore does not support every transaction id (decisions 0003 and
 * 0020). Errors are problem documents, like the errors of the API's functions, with the same status as in an HTTP API.
 */
const ingress: Ingress = {
  ...functionUrl,
  badRequest: problem(400, 'Bad request', 'the path must be URL-encoded UTF-8'),
  notFound: problem(
    404,
    'Not found',
    'there is no route for this method and path; see /api/openapi.json',
  ),
  tooLarge: problem(
    413,
    'Content too large',
    `the body must be at most ${functionUrl.maximumBodyBytes} bytes as a JSON string, in which each quotation mark takes two bytes`,
  ),
  functionError: problem(
    500,
    'Internal server error',
    'the service failed to handle the request; see the log of the service for the cause',
  ),
  throttled: problem(
    503,
    'Service unavailable',
    'the service is overloaded; try again in 1 second',
  ),
};

/** Creates the server for the HTTP API, the health check, and the pages. The caller starts and closes the server. */
export function createApiServer({
  routes,
  host,
  pages,
  stalledShards,
  log,
}: ApiServerOptions): Server {
  const gateway = createHttpGateway({
    routes,
    invoke: (functionName, payload) => host.invoke({ functionName, payload }),
    ingress,
    log,
  });
  return useOriginForm(createPagesServer(createHealthServer(gateway, stalledShards), pages));
}
