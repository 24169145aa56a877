import type { MiddlewareHandler } from 'hono';

/**
 * Prevents browsers and proxies from storing responses, which can contain personal data and the tokens of links, and
 * from guessing content types. A response that clients revalidate keeps its own `Cache-Control`.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html#security-headers
 */
export const protectResponse: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('x-content-type-options', 'nosniff');
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
};
