/**
 * The calls of the HTTP API by method and path, as routes of an API Gateway HTTP API. IAM policies can name each
 * route. A variable with a plus also matches slashes, and therefore everything after an
 * instance, such as `/history`.
 */
const calls = [
  'DELETE /api/dead-letters/{id}',
  'DELETE /api/instances/{model}/{transaction+}',
  'GET /api/checks',
  'GET /api/counts',
  'GET /api/dead-letters',
  'GET /api/dead-letters/{id}',
  'GET /api/health',
  'GET /api/instances',
  'GET /api/instances/{model}/{transaction+}',
  'GET /api/me',
  'GET /api/models',
  'GET /api/models/{model}',
  'GET /api/models/{model}/sla',
  'GET /api/models/{model}/versions',
  'GET /api/openapi.json',
  'GET /api/overview',
  'GET /api/search',
  'GET /api/search/events',
  'POST /api/counts/rebuild',
  'POST /api/dead-letters/redrive',
  'POST /api/dead-letters/{id}/redrive',
  'POST /api/events',
  'POST /api/instances/{model}/{transaction+}',
  'POST /api/links',
  'POST /api/models/{model}/rebuild',
  'POST /api/models/{model}/rollback',
] as const;

/** Handles HEAD requests for every path that supports GET. */
const anyHead = 'HEAD /api/{proxy+}';

/** All other paths and methods. The API answers them with 404 or 405 and a problem document. */
const anyMethod = 'ANY /api/{proxy+}';

/** The routes of the API's function for authorized callers. */
export const apiRoutes: readonly string[] = [...calls, anyHead, anyMethod];

/** CORS preflight requests, which have no credentials. Only used if other origins may call the API. */
export const preflightRoute = 'OPTIONS /api/{proxy+}';

/** The status page of one instance: the only public route. */
export const trackRoute = 'GET /track/{token}';
