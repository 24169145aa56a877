import { httpFunction } from '../../../lambdas/support/http/http-function.ts';
import { httpApi, type Ingress } from '../../../src/aws-local/api-gateway/ingress.ts';
import { proxyEvent } from '../../../src/aws-local/api-gateway/proxy-event.ts';
import { type MatchedRoute, routeMatcher } from '../../../src/common/match-route.ts';
import { apiRoutes, preflightRoute, publicRoutes } from '../../../src/routes/api-routes.ts';
import type { MemoryApi } from './memory-api.ts';

const routes = [...apiRoutes, preflightRoute];

/** A response, and the route of the request. */
export interface Answered {
  readonly route: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** An API Gateway HTTP API with the functions of the API and the public routes, on the stores of a MemoryApi. */
export class HttpApiOf {
  readonly #functions: readonly (readonly [
    routeKeys: readonly string[],
    handler: ReturnType<typeof httpFunction>,
  ])[];
  readonly #match = routeMatcher([...routes, ...publicRoutes]);
  readonly #ingress: Ingress;

  /** @param ingress determines the path that functions receive. Default: an HTTP API */
  constructor({ app, trackApp }: MemoryApi, ingress: Ingress = httpApi) {
    this.#ingress = ingress;
    this.#functions = [
      [routes, httpFunction(app, routes)],
      [publicRoutes, httpFunction(trackApp, publicRoutes)],
    ];
  }

  /** Returns the route of a request, or undefined if API Gateway rejects the request. */
  routeOf(method: string, path: string): MatchedRoute | undefined {
    const paths = this.#ingress.paths(path);
    return paths && this.#match(method, paths.matched.split('/'));
  }

  /** @param path the raw path. @returns undefined if API Gateway rejects the request */
  async ask(method: string, path: string): Promise<Answered | undefined> {
    const route = this.routeOf(method, path);
    if (!route) return undefined;
    const [, handler] = this.#functions.find(([routeKeys]) => routeKeys.includes(route.routeKey))!;
    const event = eventOf(this.#ingress, method, path, route);
    const result = await handler(event as never, {} as never);
    const headers = result.headers as Record<string, string>;
    return {
      route: route.routeKey,
      status: result.statusCode,
      contentType: headers['content-type'] ?? '',
      body: result.body,
    };
  }
}

/** Returns the event that an ingress passes to a function for a request. */
export function eventOf(ingress: Ingress, method: string, path: string, route: MatchedRoute) {
  const origin = { requestId: 'r', timeEpoch: 0 };
  const request = { sourceIp: '203.0.113.1', httpVersion: '1.1', port: 443 };
  return proxyEvent(
    { ...request, method, target: path, rawHeaders: [], body: Buffer.alloc(0) },
    ingress.paths(path)!,
    route,
    { ...origin, keepsCookieHeader: ingress.keepsCookieHeader },
  );
}
