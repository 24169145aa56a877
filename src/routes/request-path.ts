const dotSegment = /(?:^|[/\\])\.\.?(?=[/\\]|$)/;
const controlCharacter = /\p{Cc}/u;

/**
 * The reason to reject a request with this path, or undefined. Dot segments are rejected because later
 * consumers of the path may resolve them: `new Request`, a proxy, or a browser. Backslashes count as
 * slashes, as in the URL Standard.
 *
 * @param path decoded as many times as the answering function decodes it.
 * @see https://url.spec.whatwg.org/#path-state
 */
export function refusalOfPath(path: string): string | undefined {
  if (dotSegment.test(path))
    return 'the path must not have a part that is "." or ".."; such a transaction id cannot be addressed by a path';
  if (controlCharacter.test(path)) return 'the path must not have control characters';
  return undefined;
}
