const dotSegment = /(?:^|[/\\])\.\.?(?=[/\\]|$)/;
const controlCharacter = /\p{Cc}/u;

/**
 * Returns why a request with this path is rejected; undefined if it is accepted. Dot segments are rejected because `new
 * Request`, a proxy, or a browser may resolve them. As in the URL Standard, a backslash is treated like a slash.
 *
 * @param path the path, decoded as many times as the function that handles the request decodes it.
 * @see https://url.spec.whatwg.org/#path-state
 */
export function refusalOfPath(path: string): string | undefined {
  if (dotSegment.test(path))
    return 'the path must not contain the segment "." or ".."; an instance with this transaction id has no URL';
  if (controlCharacter.test(path)) return 'the path must not contain control characters';
  return undefined;
}
