import type { HonoRequest, MiddlewareHandler } from 'hono';
import { Problem } from '../http/problem.ts';
import type { Role } from './roles.ts';

/**
 * Rejects requests that the caller's roles do not permit: a viewer can read; an operator can also make changes.
 *
 * @param rolesOf returns the caller's roles, or undefined if the platform, such as IAM, authorized the request.
 */
export function requireRole(
  rolesOf: (env: unknown) => readonly Role[] | undefined,
): MiddlewareHandler {
  return async (context, next) => {
    const roles = rolesOf(context.env);
    const reads = isReadMethod(context.req.method);
    const isAllowed =
      roles === undefined || roles.includes('operator') || (reads && roles.length > 0);
    if (!isAllowed)
      throw new Problem(403, `this request requires the ${reads ? 'viewer' : 'operator'} role`);
    await next();
  };
}

/**
 * Rejects changes requested by pages from other origins, except the given origins. Otherwise, any page could change the
 * local service, which has no login, by submitting a form to its address.
 */
export function rejectForeignPages(origins: readonly string[]): MiddlewareHandler {
  return async ({ req }, next) => {
    const origin = req.header('origin');
    const isNamed = origin !== undefined && origins.includes(origin);
    if (!isNamed && !isReadMethod(req.method) && isForeign(req))
      throw new Problem(
        403,
        'a page from another origin can make changes only if `apiCorsOrigins` contains its origin',
      );
    await next();
  };
}

/**
 * Returns true if a page from another origin sent a request. Browsers send `Sec-Fetch-Site` only to HTTPS addresses and
 * to addresses of this machine, such as `localhost`, but not to `0.0.0.0` or the address of a container. In requests to
 * other addresses, they send only the page's `Origin`, which must then match the request's address. Clients other than
 * browsers send neither header.
 *
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
function isForeign(request: HonoRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  const origin = request.header('origin');
  return origin !== undefined && origin !== `http://${request.header('host')}`;
}

/** Returns true for the methods that change nothing (RFC 9110, section 9.2.1). */
export const isReadMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
