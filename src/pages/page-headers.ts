/**
 * Returns the security headers for responses that contain a page. Browsers then send requests only to the page's own
 * origin and the origins in `connectTo`, run only script files from the page's own origin, do not show the page in
 * frames, and send no referrer.
 *
 * @param connectTo additional origins that the pages can send requests to, such as a login issuer. Default: none.
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
