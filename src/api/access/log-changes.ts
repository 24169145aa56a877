import type { MiddlewareHandler } from 'hono';
import { isReadMethod } from './require-role.ts';

/** The names that identify a caller: a token's claims, or the ARN of an IAM principal. */
export type Caller = Readonly<Record<string, string>>;

/** A request that can make changes, with its caller and its result. */
export interface LoggedChange {
  readonly by: Caller;
  readonly method: string;
  /** The URL path. The method and the path identify the operation. */
  readonly path: string;
  /** The response's HTTP status, such as 403 for a change that was not permitted. */
  readonly status: number;
}

/** The log of requests that can make changes, with their callers. */
export interface ChangeLog {
  /** Returns the caller that the platform authenticated, or undefined if the platform does not authenticate callers. */
  readonly callerOf: (env: unknown) => Caller | undefined;
  readonly log: (change: LoggedChange) => void;
}

/**
 * Logs requests that can make changes, with their callers, even if the requests are rejected. A request from an unknown
 * caller is not logged.
 */
export function logChanges({ callerOf, log }: ChangeLog): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { method, path } = context.req;
    const by = isReadMethod(method) ? undefined : callerOf(context.env);
    if (by) log({ by, method, path, status: context.res.status });
  };
}
