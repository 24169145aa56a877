import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { TrieRouter } from 'hono/router/trie-router';
import { openAPIRouteHandler } from 'hono-openapi';
import type { Clock } from '../core/clock.ts';
import { isBusy } from '../core/errors.ts';
import { PaceCache } from '../service/pace-cache.ts';
import type {
  DataKeys,
  DeadLetterStore,
  EventStream,
  InstanceLists,
  InstanceStore,
  InstanceWalk,
  ModelAuditor,
  ModelDescriber,
  ModelRegistry,
  ModelVersions,
  ObservationStore,
  ParkingStore,
} from '../service/ports.ts';
import { access, ownPages, type Role } from './access.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { describe } from './describe.ts';
import { eventRoutes } from './events.ts';
import { explainRoutes } from './explain.ts';
import { instanceRoutes } from './instances.ts';
import { linkRoutes } from './links.ts';
import { meRoutes } from './me.ts';
import { modelVersionRoutes } from './model-versions.ts';
import { modelRoutes } from './models.ts';
import { overviewRoutes } from './overview.ts';
import { Problem, problemAnswer } from './problem.ts';
import { done } from './schemas.ts';
import { trackRoutes } from './track.ts';

/** What the API reads from and writes to. */
export interface ApiEnvironment {
  readonly instances: InstanceStore;
  readonly lists: InstanceLists;
  readonly walk: InstanceWalk;
  readonly models: ModelRegistry;
  readonly versions: ModelVersions;
  /** Asks a version of a model what it is, before it runs again. */
  readonly describer: ModelDescriber;
  readonly auditor: ModelAuditor;
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
  readonly observations: ObservationStore;
  /** What personal data is sealed with; none where models may have none. */
  readonly dataKeys?: DataKeys;
  /** The stream, for records as they are: producers' events, and dead letters that are put again. */
  readonly stream: EventStream;
  /** The stream, for Milepost's own events, which get a MAC. */
  readonly ownStream: EventStream;
  readonly clock: Clock;
  /** The origins whose pages may use the API, besides its own. */
  readonly corsOrigins: readonly string[];
  /**
   * The roles of who asks, from what the platform says of the request; undefined where the platform has
   * decided already who may do what.
   */
  readonly rolesOf: (env: unknown) => readonly Role[] | undefined;
  /** What links to customers' status pages are signed with; undefined where there are no such pages. */
  readonly linkKey: (() => Promise<string>) | undefined;
  /** Told of what went wrong on our side. */
  readonly logError: (error: unknown) => void;
  /** The trace that events of this request belong to; undefined, or gives undefined, without one. */
  readonly traceparent?: () => string | undefined;
}

/** The same, with what the routes share. */
export interface RouteEnvironment extends ApiEnvironment {
  readonly paces: PaceCache;
}

/** The HTTP API, the same on Lambda and in tests. */
export function createApi(around: ApiEnvironment): Hono {
  const environment = { ...around, paces: new PaceCache(around.observations, around.clock) };
  // Hono's usual router does not look at the order of routes such as those of the instances.
  const app = new Hono({ router: new TrieRouter() });
  app.use(compress());
  if (environment.corsOrigins.length > 0) app.use(crossOrigin(environment.corsOrigins));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(context, methods) {
        context.header('Allow', [...methods, 'OPTIONS'].join(', '));
        if (context.req.method === 'OPTIONS') return context.body(null, 204);
        const detail = `${context.req.path} does not take ${context.req.method}`;
        return problemAnswer(context, new Problem(405, detail));
      },
    }),
  );
  // What is asked for again and again: an answer that has not changed has no body.
  app.on(
    'GET',
    ['/api/overview', '/api/instances/*', '/api/models/*'],
    etag(),
    async (context, next) => {
      await next();
      context.header('cache-control', 'private, no-cache');
    },
  );
  app.use('/api/*', ownPages(environment.corsOrigins), access(environment.rolesOf));
  app.get('/api/health', describe(health), (context) => context.json({ ok: true }));
  app.route('/api/me', meRoutes(environment));
  app.route('/api/events', eventRoutes(environment));
  app.route('/api/models', modelRoutes(environment));
  app.route('/api/models', modelVersionRoutes(environment));
  app.route('/api/overview', overviewRoutes(environment));
  app.route('/api/instances', explainRoutes(environment));
  app.route('/api/instances', instanceRoutes(environment));
  app.route('/api/links', linkRoutes(environment));
  app.route('/track', trackRoutes(environment));
  app.route('/api/dead-letters', deadLetterRoutes(environment));
  app.get('/api/openapi.json', openAPIRouteHandler(app, { documentation }));
  app.notFound((context) =>
    problemAnswer(
      context,
      new Problem(404, `there is nothing at ${context.req.method} ${context.req.path}`),
    ),
  );
  app.onError((error, context) => {
    if (error instanceof Problem) return problemAnswer(context, error);
    environment.logError(error);
    if (isBusy(error))
      return problemAnswer(context, new Problem(503, 'too much is asked just now: try again'));
    return problemAnswer(
      context,
      new Problem(500, 'the request failed on our side; the log of the service says why'),
    );
  });
  return app;
}

/** Lets pages of other origins in; OPTIONS that no browser asks beforehand stay as they are. */
function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  const allow = cors({ origin: [...origins], exposeHeaders: ['ETag', 'Retry-After'] });
  return (context, next) => {
    const { method } = context.req;
    const isPreflight = context.req.header('access-control-request-method') !== undefined;
    return method === 'OPTIONS' && !isPreflight ? next() : allow(context, next);
  };
}

const health = {
  summary: 'Says that the service answers',
  tag: 'service',
  answers: { 200: done.healthy },
} as const;

const documentation = {
  info: {
    title: 'Milepost',
    version: '1',
    description:
      'Where a process is now, what happened, what comes next. Errors are RFC 9457 problems. A ' +
      'transaction id may have slashes in it, URL-encoded.',
  },
};
