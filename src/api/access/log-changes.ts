import type { MiddlewareHandler } from 'hono';
import { isReadMethod } from './require-role.ts';

/** The names that identify a caller: the claims of a token, or the ARN of an IAM principal. */
export type Caller = Readonly<Record<string, string>>;

/** A request to change something, and who sent it. */
export interface LoggedChange {
  readonly by: Caller;
  readonly method: string;
  /** The path, which names the operation and what it changes. */
  readonly path: string;
  /** The HTTP status of the response. */
  readonly status: number;
}

/** A log of changes and their callers. */
export interface ChangeLog {
  /** Returns the caller that the platform authenticated; undefined if the platform authenticates no callers. */
  readonly callerOf: (env: unknown) => Caller | undefined;
  readonly log: (change: LoggedChange) => void;
}

/**
 * Logs every request that can change something, including rejected ones, with its caller. A request without a known
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
