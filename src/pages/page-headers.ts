/**
 * What every answer of the pages says to browsers: to load nothing from elsewhere, to run no script
 * that is not a file of ours, to show the pages in nobody's frame, and to tell nobody where one was.
 *
 * @param connectTo the origins that the pages may ask besides their own, such as those of a login.
 * @see https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP
 */
export function pageHeaders(connectTo: readonly string[] = []) {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      ["connect-src 'self'", ...connectTo].join(' '),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}
