/**
 * The calls of the HTTP API, by method and path, as the routes of an HTTP API of API Gateway: each is a route
 * that an IAM policy can name. A variable with a plus takes slashes too, and so all that stands behind an
 * instance, such as `/history`.
 */
const calls = [
  'DELETE /api/dead-letters/{id}',
  'DELETE /api/instances/{model}/{transaction+}',
  'GET /api/dead-letters',
  'GET /api/dead-letters/{id}',
  'GET /api/health',
  'GET /api/instances',
  'GET /api/instances/{model}/{transaction+}',
  'GET /api/me',
  'GET /api/models',
  'GET /api/models/{model}',
  'GET /api/models/{model}/versions',
  'GET /api/openapi.json',
  'GET /api/overview',
  'POST /api/dead-letters/redrive',
  'POST /api/dead-letters/{id}/redrive',
  'POST /api/events',
  'POST /api/instances/{model}/{transaction+}',
  'POST /api/links',
  'POST /api/models/{model}/rebuild',
  'POST /api/models/{model}/rollback',
] as const;

/** HEAD of whatever can be read. */
const anyHead = 'HEAD /api/{proxy+}';

/** Paths and methods that the API does not have: it answers 404 and 405 with a problem document. */
const anyMethod = 'ANY /api/{proxy+}';

/** Every route that the API's function answers for callers that are let in. */
export const apiRoutes: readonly string[] = [...calls, anyHead, anyMethod];

/** Preflight requests of browsers, which have no credentials. Only where other origins may use the API. */
export const preflightRoute = 'OPTIONS /api/{proxy+}';

/** The status page of one instance: the one route that is open to the world. */
export const trackRoute = 'GET /track/{token}';
