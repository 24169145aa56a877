import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ApiEnvironment } from '../api-dependencies.ts';
import { answerError, nothingHere } from '../http/answer-error.ts';
import { PaceCache } from '../registry/pace-cache.ts';
import { trackRoutes } from './track-routes.ts';

/** What customers' status pages are made from. */
export type TrackAppEnvironment = Pick<
  ApiEnvironment,
  'instances' | 'models' | 'observations' | 'clock' | 'links' | 'linkKey' | 'logError'
>;

/** Customers' status pages, and nothing else: they are open to whoever has a link. */
export function createTrackApp(around: TrackAppEnvironment): Hono {
  const paces = new PaceCache(around.observations, around.clock);
  const app = new Hono();
  app.use(compress());
  app.route('/track', trackRoutes({ ...around, stepDurations: paces }));
  app.notFound(nothingHere);
  app.onError(answerError(around.logError));
  return app;
}
