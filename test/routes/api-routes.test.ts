import { describe, expect, it } from 'vitest';
import { apiRoutes, trackRoute } from '../../src/routes/api-routes.ts';
import { MemoryApi } from '../support/service/memory-api.ts';

const api = new MemoryApi();

/** A Hono route as a route of an HTTP API, where nothing can follow a variable that matches slashes. */
const asRouteKey = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/:(\w+)\{\[\^\]\+\}.*/, '{$1+}').replaceAll(/:(\w+)/g, '{$1}')}`;

const routesOf = (routes: readonly { method: string; path: string }[]) => [
  // Middleware applies to all methods.
  ...new Set(
    routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*')).map(asRouteKey),
  ),
];

describe('the routes', () => {
  it('are those of the app, plus HEAD and those answered with 404 and 405', () => {
    expect(apiRoutes.toSorted()).toEqual(
      [...routesOf(api.app.routes), 'ANY /api/{proxy+}', 'HEAD /api/{proxy+}'].toSorted(),
    );
  });

  it("include one for the customer's page, which the API does not have", async () => {
    expect(routesOf(api.trackApp.routes)).toEqual([trackRoute]);
    expect((await api.app.request('/track/token')).status).toBe(404);
    expect((await api.trackApp.request('/api/instances')).status).toBe(404);
  });
});
