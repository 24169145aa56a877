import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { etaOf } from '../../core/status/eta.ts';
import { milestoneViews } from '../../core/status/milestones.ts';
import { withRecordedMilestones } from '../../core/status/recorded-milestones.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { findInstance } from '../instances/read-instance.ts';
import { verifyLinkToken } from './link-token.ts';
import { securityHeaders, trackPage } from './track-page.ts';

/**
 * Serves the status page of an instance to a customer with a link. The page shows the model's description of the
 * instance (status, milestones and progress), but not its state or its history.
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
    // Verify the token first, so that an invalid token causes no reads.
    const link = linkKey && (await verifyLinkToken(token, clock.now(), await linkKey()));
    const isGood = link && (await links?.has(link.instance, link.id));
    const found = isGood && (await findInstance(instances, link.instance));
    // The response does not reveal why a link is not valid.
    if (!found) return context.text('This page does not exist or is no longer available.\n', 404);
    const key = link.instance;
    const [entry, stepDurations] = await Promise.all([
      models.get(key.model),
      stepDurationsCache.of(key.model),
    ]);
    const { commit } = found;
    const description = commit
      ? withRecordedMilestones(commit.description, commit.at)
      : { status: '' };
    const known = entry?.milestones ?? [];
    return context.html(
      trackPage({
        title: entry?.title ?? key.model,
        status: description.status,
        done: description.done ?? false,
        progress: commit?.progress ?? null,
        since: commit?.statusSince ?? null,
        milestones: milestoneViews(known, description, clock.now()),
        eta: commit ? etaOf(known, description, commit.startedAt, stepDurations, clock.now()) : [],
      }),
    );
  });
}
