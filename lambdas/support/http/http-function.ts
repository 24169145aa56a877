import type { Hono } from 'hono';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { routeMatcher } from '../../../src/common/match-route.ts';
import { refusalOfPath } from '../../../src/routes/request-path.ts';
import { withoutBodyOfGet } from './body-of-get.ts';
import { withMethodOfFetch } from './method-of-fetch.ts';
import { problemResult } from './problem-result.ts';
import { encodedPath, pathSegments } from './request-path.ts';

/** A request as an HTTP API of AWS hands it to a function. */
export type HttpEvent = Extract<LambdaEvent, { rawPath: string }>;

/**
 * A Lambda handler for an app behind an HTTP API, for the routes that lead to it and for no others.
 *
 * An HTTP API decides by the matched route who is let in, but hands on a path that it has decoded once more
 * since then, which may be that of another route. So a request is answered only where its path belongs to the
 * route that it came by; any other gets a 404. Paths that another reader could resolve to something else get
 * a 400.
 *
 * @param routeKeys the routes of the function, such as `GET /track/{token}`.
 */
export function httpFunction(app: Hono, routeKeys: readonly string[]) {
  const answer = handle(app);
  const match = routeMatcher(routeKeys);
  return async (event: HttpEvent, context: LambdaContext) => {
    const { method } = event.requestContext.http;
    const segments = pathSegments(event);
    if (!segments) return problemResult(method, 400, 'the path must be URL-encoded UTF-8');
    const refusal = refusalOfPath(segments.join('/'));
    if (refusal !== undefined) return problemResult(method, 400, refusal);
    const rawPath = encodedPath(segments);
    if (match(method, segments)?.routeKey !== event.routeKey)
      return problemResult(method, 404, `there is nothing at ${method} ${rawPath}`);
    return answer(withMethodOfFetch({ ...withoutBodyOfGet(event), rawPath }), context);
  };
}
