import type { Server } from 'node:http';
import { createHttpGateway, type HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import { functionUrl } from '../../aws-local/api-gateway/ingress.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import type { LazyPages } from '../pages/lazy-pages.ts';
import { createPagesServer } from '../pages/pages-server.ts';
import { createHealthServer, type StalledStreamShard } from './health-server.ts';

export interface ApiServerOptions {
  /** The routes of the HTTP API. Requests wait until this promise resolves. */
  readonly routes: Promise<readonly HttpRoute[]>;
  readonly host: LambdaHost;
  readonly pages: LazyPages;
  readonly stalledShards: () => readonly StalledStreamShard[];
  readonly log: (line: string) => void;
}

/** Creates the server of the HTTP API, the health check, and the pages. The caller makes it listen and closes it. */
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
    // Routes match as in AWS, but functions receive the raw path, as from a function URL. An HTTP API decodes the path
    // twice and therefore does not support every transaction id (decisions 0003 and 0020).
    ingress: functionUrl,
    log,
  });
  return createPagesServer(createHealthServer(gateway, stalledShards), pages);
}
