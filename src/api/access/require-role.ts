import type { MiddlewareHandler } from 'hono';
import { Problem } from '../http/problem.ts';
import type { Role } from './roles.ts';

/**
 * Lets nobody do what their roles do not say.
 *
 * @param rolesOf the caller's roles; undefined where somebody else, such as IAM, has decided already.
 */
export function requireRole(
  rolesOf: (env: unknown) => readonly Role[] | undefined,
): MiddlewareHandler {
  return async (context, next) => {
    const roles = rolesOf(context.env);
    const reads = isReadMethod(context.req.method);
    const isAllowed =
      roles === undefined || roles.includes('operator') || (reads && roles.length > 0);
    if (!isAllowed) throw new Problem(403, `this takes the role ${reads ? 'viewer' : 'operator'}`);
    await next();
  };
}

/**
 * Lets no page of another origin change anything: on one's own machine nobody logs in, and a browser sends a
 * form to any address. Programs that are no browsers say nothing of where they are.
 *
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export function refuseForeignPages(origins: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const { method } = context.req;
    const isForeign = ['cross-site', 'same-site'].includes(
      context.req.header('sec-fetch-site') ?? '',
    );
    const isNamed = origins.includes(context.req.header('origin') ?? '');
    if (isForeign && !isNamed && !isReadMethod(method))
      throw new Problem(403, 'pages of other origins may not do this');
    await next();
  };
}

const isReadMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
