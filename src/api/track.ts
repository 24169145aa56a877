import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { etaOf } from '../core/eta.ts';
import { milestoneViews } from '../core/milestones.ts';
import type { RouteEnvironment } from './app.ts';
import { instanceIn } from './link-token.ts';
import { findNewest } from './newest.ts';
import { securityHeaders, trackPage } from './track-page.ts';

/**
 * The status page of an instance, for the customer whom a link to it was given. Of the instance it
 * shows what its model says to people, and nothing else.
 */
export function trackRoutes({
  instances,
  models,
  paces,
  linkKey,
  clock,
}: Pick<RouteEnvironment, 'instances' | 'models' | 'paces' | 'linkKey' | 'clock'>): Hono {
  return new Hono().get('/:token', etag(), async (context) => {
    for (const [name, value] of securityHeaders) context.header(name, value);
    const key =
      linkKey && (await instanceIn(context.req.param('token'), clock.now(), await linkKey()));
    const found = key && (await findNewest(instances, key));
    // Whatever is wrong with a token, nobody is told what.
    if (!found) return context.text('There is nothing here.\n', 404);
    const [entry, pace] = await Promise.all([models.get(key.model), paces.of(key.model)]);
    const { commit } = found;
    const description = commit?.description ?? { status: '' };
    const known = entry?.milestones ?? [];
    return context.html(
      trackPage({
        title: entry?.title ?? key.model,
        status: description.status,
        done: description.done ?? false,
        progress: commit?.progress ?? null,
        updatedAt: commit?.at ?? null,
        milestones: milestoneViews(known, description, clock.now()),
        eta: commit ? etaOf(known, description, commit.startedAt, pace, clock.now()) : [],
      }),
    );
  });
}
