import type { Context } from 'hono';

/** Returns the URL of a path under the address that the client used. */
export function publicUrl(context: Context, path: string): URL {
  const url = new URL(path, context.req.url);
  // A proxy in front of the function reports the original request's scheme.
  url.protocol = context.req.header('x-forwarded-proto') ?? url.protocol;
  return url;
}
