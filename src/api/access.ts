import type { MiddlewareHandler } from 'hono';
import { Problem } from './problem.ts';

/** What a caller may do: a viewer reads; an operator also redrives, deletes, makes links and puts events. */
export type Role = 'viewer' | 'operator';

/**
 * The roles in a claim of a JSON Web Token as an HTTP API of AWS hands it on: an array became one
 * text there, `[viewer operator]` or `viewer,operator`.
 */
export function rolesIn(claim: unknown): Role[] {
  const names = Array.isArray(claim)
    ? claim
    : typeof claim === 'string'
      ? claim.split(/[[\]\s,"]+/)
      : [];
  return (['viewer', 'operator'] as const).filter((role) => names.includes(role));
}

/**
 * Lets nobody do what their roles do not say.
 *
 * @param rolesOf the caller's roles; undefined where somebody else, such as IAM, has decided already.
 */
export function access(rolesOf: (env: unknown) => readonly Role[] | undefined): MiddlewareHandler {
  return async (context, next) => {
    const roles = rolesOf(context.env);
    const reads = ['GET', 'HEAD', 'OPTIONS'].includes(context.req.method);
    const isAllowed =
      roles === undefined || roles.includes('operator') || (reads && roles.length > 0);
    if (!isAllowed) throw new Problem(403, `this takes the role ${reads ? 'viewer' : 'operator'}`);
    await next();
  };
}
