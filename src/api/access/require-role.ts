import type { MiddlewareHandler } from 'hono';
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
 * Rejects changes requested by pages from other origins. The local service has no login, and a page can submit a form
 * to any address. Clients other than browsers do not send `Sec-Fetch-Site`.
 *
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export function rejectForeignPages(origins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const { method } = context.req;
    const isForeign = ['cross-site', 'same-site'].includes(
      context.req.header('sec-fetch-site') ?? '',
    );
    const isNamed = origins.includes(context.req.header('origin') ?? '');
    if (isForeign && !isNamed && !isReadMethod(method))
      throw new Problem(
        403,
        'a page from another origin can make changes only if `apiCorsOrigins` contains its origin',
      );
    await next();
  };
}

/** True for the methods that change nothing (RFC 9110, section 9.2.1). */
export const isReadMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
