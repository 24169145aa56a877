import type { Hono } from 'hono';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { unencodedAttribute } from '../../../src/api/events/binary-mode.ts';
import { routeMatcher } from '../../../src/common/match-route.ts';
import { refusalOfPath } from '../../../src/routes/request-path.ts';
import { withoutBodyOfGet } from './body-of-get.ts';
import { withMethodOfFetch } from './method-of-fetch.ts';
import { problemResult } from './problem-result.ts';
import { encodedPath, pathSegments } from './request-path.ts';

/** The event of an API Gateway HTTP API. */
export type HttpEvent = Extract<LambdaEvent, { rawPath: string }>;

/** The route that reads the attributes of an event from headers. */
const sendEventsRoute = 'POST /api/events';

/**
 * Creates a Lambda handler for an app behind an HTTP API, restricted to the given routes.
 *
 * An HTTP API authorizes a request by the matched route, but then passes a decoded path, which can belong to another
 * route. The handler therefore responds with 404 if the path does not belong to the matched route, and with 400 if the
 * path is invalid or other software could resolve it differently.
 *
 * @param routeKeys the keys of the function's routes, such as `GET /track/{token}`.
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
      return problemResult(method, 404, `there is no route for ${method} ${rawPath}`);
    // Hono's adapter percent-encodes these values, so the API could not distinguish them from encoded ones.
    const unencoded =
      event.routeKey === sendEventsRoute ? unencodedAttribute(event.headers) : undefined;
    if (unencoded !== undefined) return problemResult(method, 400, unencoded);
    return answer(withMethodOfFetch({ ...withoutBodyOfGet(event), rawPath }), context);
  };
}
