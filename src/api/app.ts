import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { TrieRouter } from 'hono/router/trie-router';
import { generateSpecs } from 'hono-openapi';
import * as v from 'valibot';
import { logChanges } from './access/log-changes.ts';
import { meRoutes } from './access/me-routes.ts';
import { rejectForeignPages, requireRole } from './access/require-role.ts';
import type { ApiDependencies, RouteDependencies } from './api-dependencies.ts';
import { checkRoutes } from './checks/check-routes.ts';
import { countRoutes } from './counts/count-routes.ts';
import { instanceLinkRoutes } from './customer-pages/instance-link-routes.ts';
import { linkRoutes } from './customer-pages/link-routes.ts';
import { deadLetterRoutes } from './dead-letters/dead-letter-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { answerError, answerNotFound } from './http/answer-error.ts';
import { answerInTime } from './http/answer-in-time.ts';
import { describeOperation } from './http/describe-operation.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { named } from './http/named.ts';
import { withNamedSchemas } from './http/named-schemas.ts';
import { protectResponse } from './http/protect-response.ts';
import { publicUrl } from './http/public-url.ts';
import { explainUnknownInstance } from './instances/check-names.ts';
import { deadlineRoutes } from './instances/deadline-routes.ts';
import { explainRoutes } from './instances/explain-routes.ts';
import { instanceListRoutes } from './instances/instance-list-routes.ts';
import { instanceRoutes } from './instances/instance-routes.ts';
import { UnknownInstance } from './instances/read-instance.ts';
import { attainmentRoutes } from './registry/attainment-routes.ts';
import { modelRoutes } from './registry/model-routes.ts';
import { modelVersionRoutes } from './registry/model-version-routes.ts';
import { overviewRoutes } from './registry/overview-routes.ts';
import { StepDurationsCache } from './registry/step-durations-cache.ts';
import { searchRoutes } from './search/search-routes.ts';

/**
 * How long the API may take to respond, in milliseconds. The timeout of the API's function is 29 seconds. API Gateway
 * waits for 30 seconds, including the start of an execution environment.
 */
const maximumTime = 25_000;

/** Creates the HTTP API with all routes under `/api`. */
export function createApi(shared: ApiDependencies): Hono {
  const dependencies: RouteDependencies = {
    ...shared,
    stepDurations: new StepDurationsCache(shared),
  };
  // Hono's default router ignores the order of overlapping routes, such as the routes for instances.
  const app = new Hono({ router: new TrieRouter() });
  app.use(compress());
  if (dependencies.corsOrigins.length > 0) app.use(crossOrigin(dependencies.corsOrigins));
  app.use('/api/*', protectResponse);
  // Log outside `methodNotAllowed` so that the log contains the status that the caller receives, such as 405.
  if (dependencies.changeLog) app.use('/api/*', logChanges(dependencies.changeLog));
  app.use(methodNotAllowed(app));
  for (const path of ['/api/overview', '/api/counts', '/api/instances/*', '/api/models/*'])
    app.use(path, revalidated());
  app.use('/api/*', answerInTime(dependencies, maximumTime));
  app.use(
    '/api/*',
    rejectForeignPages(dependencies.corsOrigins),
    requireRole(dependencies.rolesOf),
  );
  app.get('/api/health', describeOperation(health), (context) => context.json({ ok: true }));
  app.route('/api/checks', checkRoutes(dependencies));
  app.route('/api/me', meRoutes(dependencies));
  app.route('/api/events', eventRoutes(dependencies));
  app.route('/api/models', modelRoutes(dependencies));
  app.route('/api/models', modelVersionRoutes(dependencies));
  app.route('/api/models', attainmentRoutes(dependencies));
  app.route('/api/search', searchRoutes(dependencies));
  app.route('/api/counts', countRoutes(dependencies));
  app.route('/api/overview', overviewRoutes(dependencies));
  app.route('/api/instances', explainRoutes(dependencies));
  app.route('/api/instances', deadlineRoutes(dependencies));
  app.route('/api/instances', instanceLinkRoutes(dependencies));
  app.route('/api/instances', instanceListRoutes(dependencies));
  app.route('/api/instances', instanceRoutes(dependencies));
  app.route('/api/links', linkRoutes(dependencies));
  app.route('/api/dead-letters', deadLetterRoutes(dependencies));
  // The description is generated once, when it is first needed.
  let description: object | undefined;
  app.get('/api/openapi.json', async (context) => {
    description ??= withNamedSchemas(await generateSpecs(app, { documentation }));
    const servers = [{ url: publicUrl(context, '/').origin }];
    return context.json({ ...description, servers });
  });
  app.notFound(answerNotFound);
  const answer = answerError(dependencies.logError);
  app.onError(async (error, context) => {
    if (!(error instanceof UnknownInstance)) return answer(error, context);
    try {
      return answer(await explainUnknownInstance(dependencies.models, error), context);
    } catch (reason) {
      // If the registry cannot be read, respond without the explanation, because the instance does not exist in any
      // case.
      dependencies.logError(reason);
      return answer(error, context);
    }
  });
  return app;
}

/**
 * Adds an ETag to responses that clients poll. A request with the current ETag receives an empty 304 response, with the
 * CORS headers: without them, a browser would hide the response from a page from another origin.
 */
function revalidated(): MiddlewareHandler {
  const tag = etag({
    retainedHeaders: [
      ...RETAINED_304_HEADERS,
      'access-control-allow-origin',
      'access-control-expose-headers',
    ],
  });
  return async (context, next) => {
    // With `app.on('GET', ...)`, every path that the middleware matches would appear to support GET.
    if (!['GET', 'HEAD'].includes(context.req.method)) return next();
    const answer = await tag(context, next);
    context.header('cache-control', 'private, no-cache');
    return answer;
  };
}

/** Allows pages from other origins. An OPTIONS request that is not a CORS preflight is passed to the next handler. */
function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  const allow = cors({
    origin: [...origins],
    exposeHeaders: ['ETag', 'Retry-After'],
    // The longest time that Chrome accepts, in seconds. With the default of 5 seconds, a page that polls with a token
    // would send a preflight with almost every request.
    maxAge: 7_200,
  });
  return (context, next) => {
    const { method } = context.req;
    const isPreflight = context.req.header('access-control-request-method') !== undefined;
    return method === 'OPTIONS' && !isPreflight ? next() : allow(context, next);
  };
}

const health = {
  id: 'checkHealth',
  summary: 'Check that the API responds',
  description: 'Returns `ok` if the API responds. Does not check the other parts of the service.',
  tag: 'service',
  answers: { 200: named('Health', { ok: v.literal(true) }) },
} as const;

/** JSON that survives a round trip unchanged: see `parseExact`. */
const anyJson = {
  description:
    'any JSON, nested up to 100 levels; a number that JavaScript would change, such as 12345678901234567890, must be sent as a string',
};

/** The token that the API requires if it has an issuer. Generated clients send only a token that is described. */
const token = {
  type: 'http' as const,
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'an access token of the OpenID Connect issuer, if the API accepts tokens (`apiTokens`)',
};

// The local service, and an API with IAM authorization, accept requests without a token.
const security: Record<string, string[]>[] = [{}, { token: [] }];

const documentation = {
  components: { schemas: { Json: anyJson }, securitySchemes: { token } },
  security,
  info: {
    title: 'Milepost',
    version: '1',
    description:
      'Shows where each process is, what happened, and what comes next. Errors are RFC 9457 problems. A ' +
      'transaction id can contain URL-encoded slashes, but not the segments "." and "..". A method that the path does not ' +
      'support results in a 405 response with `Allow`, and an unknown query parameter in a 400 response. If a list ' +
      'filters on a model or a status that does not exist, the 400 response suggests the closest name.',
  },
};
