import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { etaOf } from '../../core/status/eta.ts';
import { milestoneViews } from '../../core/status/milestones.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { findInstance } from '../instances/read-instance.ts';
import { verifyLinkToken } from './link-token.ts';
import { securityHeaders, trackPage } from './track-page.ts';

/**
 * The status page of an instance, for the customer whom a link to it was given. Of the instance it
 * shows what its model says to people, and nothing else.
 */
export function trackRoutes({
  instances,
  models,
  stepDurations: stepDurationsCache,
  links,
  linkKey,
  clock,
}: Pick<
  RouteDependencies,
  'instances' | 'models' | 'stepDurations' | 'links' | 'linkKey' | 'clock'
>): Hono {
  return new Hono().get('/:token', etag(), async (context) => {
    for (const [name, value] of securityHeaders) context.header(name, value);
    const token = context.req.param('token');
    // A token that is not ours is refused before anything is read.
    const link = linkKey && (await verifyLinkToken(token, clock.now(), await linkKey()));
    const isGood = link && (await links?.has(link.instance, link.id));
    const found = isGood && (await findInstance(instances, link.instance));
    // Whatever is wrong with a link, nobody is told what.
    if (!found) return context.text('There is nothing here.\n', 404);
    const key = link.instance;
    const [entry, stepDurations] = await Promise.all([
      models.get(key.model),
      stepDurationsCache.of(key.model),
    ]);
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
        eta: commit ? etaOf(known, description, commit.startedAt, stepDurations, clock.now()) : [],
      }),
    );
  });
}
