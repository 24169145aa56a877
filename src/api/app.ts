import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { TrieRouter } from 'hono/router/trie-router';
import { openAPIRouteHandler } from 'hono-openapi';
import type { Clock } from '../common/clock.ts';
import type { ParkingStore } from '../parking/parking-store.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { ModelDescriber } from './stores/model-describer.ts';
import type { ModelRegistry } from '../stores/model-registry.ts';
import type { ObservationStore } from '../stores/observation-store.ts';
import type { EventStream } from '../stream/event-stream.ts';
import { access, ownPages } from './access.ts';
import { answerError, nothingHere } from './answer-error.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { describe, namedSchemas } from './describe.ts';
import { eventRoutes } from './events.ts';
import { explainRoutes } from './explain.ts';
import { instanceLinkRoutes } from './instance-links.ts';
import { instanceRoutes } from './instances.ts';
import { linkRoutes } from './links.ts';
import { meRoutes } from './me.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { modelVersionRoutes } from './model-versions.ts';
import { modelRoutes } from './models.ts';
import { overviewRoutes } from './overview.ts';
import { PaceCache } from './pace-cache.ts';
import type { Role } from './roles.ts';
import { done } from './schemas.ts';
import type { CustomerLinks } from './stores/customer-links.ts';
import type { HistoryForgetter } from './stores/history-forgetter.ts';
import type { InstanceLists } from './stores/instance-lists.ts';
import type { InstanceWalk } from './stores/instance-walk.ts';
import type { ModelAuditor } from './stores/model-auditor.ts';
import type { ModelVersions } from './stores/model-versions.ts';

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
  /** Takes forgotten data out of histories; needed where there are `dataKeys`. */
  readonly forgetter?: HistoryForgetter;
  /** The stream, for records as they are: producers' events, and dead letters that are put again. */
  readonly stream: EventStream;
  /** The stream, for Milepost's own events, which get a MAC. */
  readonly ownStream: EventStream;
  /** The stream of notifications, for dead letters that are put there again. Default: none are published. */
  readonly notificationStream?: EventStream;
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
  /** The links to those pages that are good; none where there are no such pages. */
  readonly links?: CustomerLinks;
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
  app.use(methodNotAllowed(app));
  for (const path of ['/api/overview', '/api/instances/*', '/api/models/*'])
    app.use(path, revalidated());
  app.use('/api/*', ownPages(environment.corsOrigins), access(environment.rolesOf));
  app.get('/api/health', describe(health), (context) => context.json({ ok: true }));
  app.route('/api/me', meRoutes(environment));
  app.route('/api/events', eventRoutes(environment));
  app.route('/api/models', modelRoutes(environment));
  app.route('/api/models', modelVersionRoutes(environment));
  app.route('/api/overview', overviewRoutes(environment));
  app.route('/api/instances', explainRoutes(environment));
  app.route('/api/instances', instanceLinkRoutes(environment));
  app.route('/api/instances', instanceRoutes(environment));
  app.route('/api/links', linkRoutes(environment));
  app.route('/api/dead-letters', deadLetterRoutes(environment));
  app.get('/api/openapi.json', openAPIRouteHandler(app, { documentation }));
  app.notFound(nothingHere);
  app.onError(answerError(environment.logError));
  return app;
}

/** Spares clients the body of an answer that they have: those are asked for again and again. */
function revalidated(): MiddlewareHandler {
  const tag = etag();
  return async (context, next) => {
    // Not by `app.on('GET', ...)`: then every path below would count as one that takes GET.
    if (context.req.method !== 'GET') return next();
    const answer = await tag(context, next);
    context.header('cache-control', 'private, no-cache');
    return answer;
  };
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
  get components() {
    return { schemas: namedSchemas() as never };
  },
  info: {
    title: 'Milepost',
    version: '1',
    description:
      'Where a process is now, what happened, what comes next. Errors are RFC 9457 problems. A ' +
      'transaction id may have slashes in it, URL-encoded, but no part "." or "..". A path refuses methods that it ' +
      'does not take with 405 and `Allow`, and query parameters that it does not have with 400. A list of a model or a ' +
      'status that does not exist is refused with 400 too, with the closest name.',
  },
};
