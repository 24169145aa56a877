import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { TrieRouter } from 'hono/router/trie-router';
import type { Clock } from '../core/clock.ts';
import type {
  DeadLetterStore,
  EventStream,
  InstanceLists,
  InstanceStore,
  ModelRegistry,
  ParkingStore,
} from '../service/ports.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { eventRoutes } from './events.ts';
import { instanceRoutes } from './instances.ts';
import { modelRoutes } from './models.ts';
import { Problem, problemAnswer } from './problem.ts';

/** What the API reads from and writes to. */
export interface ApiEnvironment {
  readonly instances: InstanceStore;
  readonly lists: InstanceLists;
  readonly models: ModelRegistry;
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
  readonly stream: EventStream;
  readonly clock: Clock;
  /** Told of what went wrong on our side. */
  readonly logError: (error: unknown) => void;
}

/** The HTTP API, the same on Lambda and in tests. */
export function createApi(environment: ApiEnvironment): Hono {
  // Hono's usual router does not look at the order of routes such as those of the instances.
  const app = new Hono({ router: new TrieRouter() });
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
  app.get('/api/health', (context) => context.json({ ok: true }));
  app.route('/api/events', eventRoutes(environment));
  app.route('/api/models', modelRoutes(environment));
  app.route('/api/instances', instanceRoutes(environment));
  app.route('/api/dead-letters', deadLetterRoutes(environment));
  app.notFound((context) =>
    problemAnswer(
      context,
      new Problem(404, `there is nothing at ${context.req.method} ${context.req.path}`),
    ),
  );
  app.onError((error, context) => {
    if (error instanceof Problem) return problemAnswer(context, error);
    environment.logError(error);
    return problemAnswer(
      context,
      new Problem(500, 'the request failed on our side; the log of the service says why'),
    );
  });
  return app;
}
