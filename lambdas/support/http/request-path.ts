/** The path in an event of an HTTP API or a function URL. */
interface PathEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly path: string } };
}

/**
 * Returns the decoded segments of a request path, including the empty segment before the first slash. The event of a
 * function URL contains the encoded path as `rawPath`, and the decoded path in the request context. The event of an
 * HTTP API contains the decoded path in both fields.
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

/** Encodes segments and joins them into a path. URL parsers leave the path unchanged if it has no dot segments. */
export const encodedPath = (segments: readonly string[]) =>
  segments.map(encodeURIComponent).join('/');
