const dotSegment = /(?:^|[/\\])\.\.?(?=[/\\]|$)/;
const controlCharacter = /\p{Cc}/u;

/**
 * Says why a request with this path is refused; undefined where it is not. Dot segments are refused because
 * whatever reads the path next may resolve them: `new Request`, a proxy, or a browser. Backslashes count as
 * slashes, because the URL Standard treats them so.
 *
 * @param path decoded as often as the function that answers decodes it.
 * @see https://url.spec.whatwg.org/#path-state
 */
export function refusalOfPath(path: string): string | undefined {
  if (dotSegment.test(path))
    return 'the path must not have a part that is "." or ".."; such a transaction id cannot be addressed by a path';
  if (controlCharacter.test(path)) return 'the path must not have control characters';
  return undefined;
}
