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
 * Renames a method that a `Request` forbids or converts, so that the app can respond to it. For example, methods
 * are case-sensitive (RFC 9110, section 9.1): a gateway that allowed `post` did not allow `POST`.
 */
export const toFetchMethod = (method: string): string =>
  forbidden.test(method) || (normalized.test(method) && method !== method.toUpperCase())
    ? `${prefix}${method}`
    : method;

/** The method that the client sent, before `toFetchMethod`. */
export const fromFetchMethod = (method: string): string =>
  method.startsWith(prefix) ? method.slice(prefix.length) : method;
