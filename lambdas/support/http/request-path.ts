/** The path in an event of an HTTP API or a function URL. */
interface PathEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly path: string } };
}

/**
 * The decoded segments of a request path, including the empty one before the first slash. A function URL passes the
 * original path; an HTTP API passes a decoded path, and then both paths of the event are equal.
 *
 * @returns undefined if the path cannot be decoded.
 */
export function pathSegments({ rawPath, requestContext }: PathEvent): string[] | undefined {
  const segments = rawPath.split('/');
  if (rawPath === requestContext.http.path) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * URL-encodes segments as a path. Without dot segments, a URL parser leaves its segments unchanged.
 */
export const encodedPath = (segments: readonly string[]) =>
  segments.map(encodeURIComponent).join('/');
