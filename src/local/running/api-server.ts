import type { Server } from 'node:http';
import { createHttpGateway, type HttpRoute } from '../../aws-local/api-gateway/http-gateway.ts';
import { functionUrl } from '../../aws-local/api-gateway/ingress.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import type { PageFiles } from '../pages/page-files.ts';
import { createPagesServer } from '../pages/pages-server.ts';
import { createHealthServer, type StalledStreamShard } from './health-server.ts';

export interface ApiServerOptions {
  /** The routes of the HTTP API. Requests wait for them. */
  readonly routes: Promise<readonly HttpRoute[]>;
  readonly host: LambdaHost;
  /** Undefined: the pages could not be made. Requests for pages wait for them. */
  readonly pages: Promise<PageFiles | undefined>;
  readonly stalledShards: () => readonly StalledStreamShard[];
  readonly log: (line: string) => void;
}

/** The HTTP API by its functions, its health, and the pages. The caller listens, and closes it. */
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
    // Routes are matched as in AWS. The function sees the path as it was on the wire, so that every
    // transaction id can be used; an HTTP API decodes it twice (decisions 0003 and 0020).
    ingress: functionUrl,
    log,
  });
  return createPagesServer(createHealthServer(gateway, stalledShards), pages);
}
