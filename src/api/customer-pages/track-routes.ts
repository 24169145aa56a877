import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { parseAccept } from 'hono/utils/accept';
import { chooseLocale, type Locale } from '../../customer-page/locale.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { Problem, problemAnswer } from '../http/problem.ts';
import { findInstance } from '../instances/read-instance.ts';
import { customerStatusOf, type DescribedInstance } from './customer-status-of.ts';
import { verifyLinkToken } from './link-token.ts';
import { missingPage, securityHeaders, trackPage } from './track-page.ts';

/**
 * The name of the module that defines `<milepost-status>`. The module's route does not conflict with `/:token`, because
 * no token has this form.
 */
const elementFile = 'milepost-status.js';

/** The headers that allow pages from any origin to read a response. */
const openHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Responds with 304 if the client already has the response. Keeps the CORS headers, which some browsers check on a 304
 * response.
 */
const revalidated = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(openHeaders)],
});

/** The stores, keys, and files that the routes need. */
export interface TrackDependencies
  extends Pick<
    RouteDependencies,
    'instances' | 'models' | 'stepDurations' | 'links' | 'linkKey' | 'clock'
  > {
  /** The source code of the module that defines `<milepost-status>`. */
  readonly statusElement: string;
}

/**
 * Serves an instance's status to a customer with a link, as a page and as JSON for `<milepost-status>`. Also serves the
 * module that defines this element. The response contains the model's description of the instance (status, progress,
 * milestones, and reference) but neither its state nor its history.
 */
export function trackRoutes(dependencies: TrackDependencies): Hono {
  const { statusElement, clock } = dependencies;
  // The URL contains a hash of the script, so a page never runs a cached script of a different version.
  const script = `${elementFile}?v=${hash('sha256', statusElement, 'hex').slice(0, 16)}`;
  return new Hono()
    .get(`/${elementFile}`, revalidated, (context) => {
      allowAnyOrigin(context);
      context.header('cache-control', 'public, max-age=3600');
      context.header('content-type', 'text/javascript; charset=utf-8');
      context.header('x-content-type-options', 'nosniff');
      return context.body(statusElement);
    })
    .get('/:token', revalidated, async (context) => {
      for (const [name, value] of securityHeaders) context.header(name, value);
      context.header('vary', 'accept, accept-language', { append: true });
      const locale = localeOf(context);
      const found = await findByToken(dependencies, context.req.param('token'));
      const now = clock.now();
      if (wantsJson(context)) {
        allowAnyOrigin(context);
        // The response does not reveal why the link is invalid.
        if (!found) return problemAnswer(context, new Problem(404, 'there is no such link'));
        return context.json(customerStatusOf(found, locale.language, now));
      }
      if (!found) return context.html(missingPage(locale), 404);
      return context.html(
        trackPage(customerStatusOf(found, locale.language, now), locale, now, script),
      );
    });
}

/** Finds a link's instance. Returns undefined if the link is invalid or the instance does not exist. */
async function findByToken(
  { instances, models, stepDurations, links, linkKey, clock }: TrackDependencies,
  token: string,
): Promise<DescribedInstance | undefined> {
  // Verify the token first so that an invalid token causes no reads from the tables.
  const link = linkKey && (await verifyLinkToken(token, clock.now(), await linkKey()));
  const isGood = link && (await links?.has(link.instance, link.id));
  const found = isGood && (await findInstance(instances, link.instance));
  if (!found) return undefined;
  const key = link.instance;
  const [entry, durations] = await Promise.all([
    models.get(key.model),
    stepDurations.of(key.model),
  ]);
  return { key, commit: found.commit, entry, stepDurations: durations };
}

/**
 * Allows pages from any origin to read a response. Access from any origin is safe because only the link grants access,
 * and any program that knows the link can read the status. Cookies and other browser credentials do not affect the
 * response.
 */
function allowAnyOrigin(context: Context): void {
  for (const [name, value] of Object.entries(openHeaders)) context.header(name, value);
}

const wantsJson = (context: Context) =>
  accepts(context, {
    header: 'Accept',
    supports: ['text/html', 'application/json'],
    default: 'text/html',
  }) === 'application/json';

function localeOf({ req }: Context): Locale {
  const accepted = parseAccept(req.header('accept-language') ?? '');
  return chooseLocale([req.query('lang'), ...accepted.map(({ type }) => type)]);
}
