/**
 * The security headers of every response with a page. Browsers load nothing from other origins, run no scripts but
 * the page's own files, do not frame the pages, and send no referrer.
 *
 * @param connectTo the other origins that the pages may send requests to, such as those of a login.
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
