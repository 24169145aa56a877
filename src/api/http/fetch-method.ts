/**
 * The methods that a `Request` of Fetch cannot have.
 *
 * @see https://fetch.spec.whatwg.org/#forbidden-method
 */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/i;
/**
 * The methods that a `Request` of Fetch has in capitals, however they are spelled.
 *
 * @see https://fetch.spec.whatwg.org/#concept-method-normalize
 */
const normalized = /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i;
const prefix = 'x-milepost-';

/**
 * A method as a `Request` can have it: those that it cannot have get another name, so that they are answered
 * too. One of them is `post`: methods are case-sensitive (RFC 9110, section 9.1), and whoever let the request
 * in by its method did not let in a `POST`.
 */
export const toFetchMethod = (method: string): string =>
  forbidden.test(method) || (normalized.test(method) && method !== method.toUpperCase())
    ? `${prefix}${method}`
    : method;

/** The method that the client sent. */
export const fromFetchMethod = (method: string): string =>
  method.startsWith(prefix) ? method.slice(prefix.length) : method;
