import { describe, expect, it } from 'vitest';
import { apiRoutes, publicRoutes } from '../../src/routes/api-routes.ts';
import { MemoryApi } from '../support/service/memory-api.ts';

const api = new MemoryApi();

/** Converts a Hono route to a route of an HTTP API, where no segment can follow a variable that matches slashes. */
const asRouteKey = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/:(\w+)\{\[\^\]\+\}.*/, '{$1+}').replaceAll(/:(\w+)/g, '{$1}')}`;

const routesOf = (routes: readonly { method: string; path: string }[]) => [
  // Middleware applies to all methods.
  ...new Set(
    routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*')).map(asRouteKey),
  ),
];

describe('the routes of the HTTP API', () => {
  it('are the routes of the app, plus HEAD routes and routes that respond with 404 or 405', () => {
    expect(apiRoutes.toSorted()).toEqual(
      [...routesOf(api.app.routes), 'ANY /api/{proxy+}', 'HEAD /api/{proxy+}'].toSorted(),
    );
  });

  it('do not include the routes for customer pages', async () => {
    // The app answers HEAD requests with its GET routes. The same gateway routes also serve the script, whose name
    // replaces the token.
    expect(routesOf(api.trackApp.routes)).toEqual([
      'GET /track/milepost-status.js',
      'GET /track/{token}',
    ]);
    expect(publicRoutes).toEqual(['GET /track/{token}', 'HEAD /track/{token}']);
    expect((await api.app.request('/track/token')).status).toBe(404);
    expect((await api.trackApp.request('/api/instances')).status).toBe(404);
  });
});
