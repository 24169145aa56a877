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

/** A log of who changed what. */
export interface ChangeLog {
  /** Returns who sent a request, from the platform's request; undefined if the platform authenticates nobody. */
  readonly callerOf: (env: unknown) => Caller | undefined;
  readonly log: (change: LoggedChange) => void;
}

/**
 * Logs every request that can change something, including rejected ones, with its caller. A request without a known caller
 * is not logged.
 */
export function logChanges({ callerOf, log }: ChangeLog): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { method, path } = context.req;
    const by = isReadMethod(method) ? undefined : callerOf(context.env);
    if (by) log({ by, method, path, status: context.res.status });
  };
}
