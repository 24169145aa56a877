/**
 * The methods that a Fetch `Request` forbids.
 *
 * @see https://fetch.spec.whatwg.org/#forbidden-method
 */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/i;
/**
 * The methods that a Fetch `Request` converts to upper case.
 *
 * @see https://fetch.spec.whatwg.org/#concept-method-normalize
 */
const normalized = /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i;
const prefix = 'x-milepost-';

/**
 * Renames a method that a `Request` forbids or converts, so that the app can respond to it. Methods are case-sensitive
 * (RFC 9110, section 9.1): a caller that is permitted to use `post` is not permitted to use `POST`.
 */
export const toFetchMethod = (method: string): string =>
  forbidden.test(method) || (normalized.test(method) && method !== method.toUpperCase())
    ? `${prefix}${method}`
    : method;

/** Reverses `toFetchMethod`: returns the method that the client sent. */
export const fromFetchMethod = (method: string): string =>
  method.startsWith(prefix) ? method.slice(prefix.length) : method;
