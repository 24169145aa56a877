import type { Hono, MiddlewareHandler } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { fromFetchMethod } from './fetch-method.ts';
import { Problem, problemAnswer } from './problem.ts';

/**
 * Responds with an `Allow` header to OPTIONS and to methods that a path does not support.
 *
 * A path supports the methods of the first route that matches it: `/instances/m/T1/redrive` supports only the methods
 * of `redrive`. A later route can still handle another method, because a transaction id can also end in `/redrive`. The
 * response is a 405 only if no later route matches, or if the later route returns 400 or 404.
 *
 * @param app the app, whose routes are read when they are first needed.
 */
export function methodNotAllowed(app: Hono): MiddlewareHandler {
  let router: TrieRouter<readonly string[]> | undefined;
  return async (context, next) => {
    await next();
    if (context.res.status !== 404 && context.res.status !== 400) return;
    const { path } = context.req;
    router ??= routerOf(app);
    const [allowed] = router.match('ALL', path)[0][0] ?? [];
    const method = fromFetchMethod(context.req.method);
    if (!allowed || allowed.includes(method)) return;
    context.header('Allow', [...allowed, 'OPTIONS'].join(', '));
    // The header describes the problem that this response replaces.
    context.header('Content-Type', undefined);
    context.res =
      method === 'OPTIONS'
        ? context.body(null, 204)
        : problemAnswer(context, new Problem(405, `${path} does not support ${method}`));
  };
}

function routerOf(app: Hono): TrieRouter<readonly string[]> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const methods = byPath.get(path) ?? new Set();
    byPath.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  const router = new TrieRouter<readonly string[]>();
  for (const [path, methods] of byPath) router.add('ALL', path, [...methods]);
  return router;
}
