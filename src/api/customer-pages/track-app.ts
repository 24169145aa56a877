import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ApiDependencies } from '../api-dependencies.ts';
import { answerError, answerNotFound } from '../http/answer-error.ts';
import { answerInTime } from '../http/answer-in-time.ts';
import { StepDurationsCache } from '../registry/step-durations-cache.ts';
import { type TrackDependencies, trackRoutes } from './track-routes.ts';

/** The stores, keys, and files that the customer status pages need. */
export type TrackAppDependencies = Pick<
  ApiDependencies,
  'instances' | 'models' | 'observations' | 'clock' | 'links' | 'linkKey' | 'logError'
> &
  Pick<TrackDependencies, 'statusElement'>;

/** How long the app may take to respond, in milliseconds. The timeout of the app's function is 10 seconds. */
const maximumTime = 8_000;

/** Creates an app that serves only the customer status pages, which anyone with a link can open. */
export function createTrackApp(dependencies: TrackAppDependencies): Hono {
  const stepDurations = new StepDurationsCache(dependencies);
  const app = new Hono();
  app.use(compress());
  app.use(answerInTime(dependencies, maximumTime));
  app.route('/track', trackRoutes({ ...dependencies, stepDurations }));
  app.notFound(answerNotFound);
  app.onError(answerError(dependencies.logError));
  return app;
}
