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
 * Renames a method that a `Request` forbids or converts so that the app sees the method that the client sent. Methods
 * are case-sensitive (RFC 9110, section 9.1), so permission for `post` must not become permission for `POST`.
 */
export const toFetchMethod = (method: string): string =>
  forbidden.test(method) || (normalized.test(method) && method !== method.toUpperCase())
    ? `${prefix}${method}`
    : method;

/** Reverses `toFetchMethod`: returns the method that the client sent. */
export const fromFetchMethod = (method: string): string =>
  method.startsWith(prefix) ? method.slice(prefix.length) : method;
