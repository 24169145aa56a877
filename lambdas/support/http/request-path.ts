/** The path of an HTTP API's event, or of a function URL's. */
interface PathEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly path: string } };
}

/**
 * The decoded segments of the path that a request was made with, the empty one before the first slash
 * included. A function URL hands the path on as it was on the wire; an HTTP API hands it on decoded, and then
 * both paths of the event are the same.
 *
 * @returns undefined for a path that cannot be decoded.
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
 * The path of these segments, URL-encoded, so that a URL made from it has the same segments: without a dot
 * segment, a URL parser has nothing left to resolve.
 */
export const encodedPath = (segments: readonly string[]) =>
  segments.map(encodeURIComponent).join('/');
