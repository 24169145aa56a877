/**
 * The API's operations, each with its own API Gateway route so that IAM policies can grant access to it. A variable
 * with a plus also matches slashes, so it covers paths below an instance, such as `/history`.
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

/** The route for HEAD requests to every path that supports GET. */
const anyHead = 'HEAD /api/{proxy+}';

/**
 * The route for all other paths and methods. The API responds with 404 or 405 and a problem document or, to OPTIONS,
 * with the allowed methods.
 */
const anyMethod = 'ANY /api/{proxy+}';

/** The API function's routes for authorized callers. */
export const apiRoutes: readonly string[] = [...calls, anyHead, anyMethod];

/**
 * The route for CORS preflight requests, which have no credentials. The route is added only if other origins may call
 * the API.
 */
export const preflightRoute = 'OPTIONS /api/{proxy+}';

/**
 * The routes for customer status pages, the only routes that return data to callers without credentials. Programs that
 * check whether a link works, such as mail scanners, send HEAD requests.
 */
export const publicRoutes: readonly string[] = ['GET /track/{token}', 'HEAD /track/{token}'];
