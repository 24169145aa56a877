/**
 * The methods that a `Request` of Fetch cannot have.
 *
 * @see https://fetch.spec.whatwg.org/#forbidden-method
 */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/i;
const prefix = 'x-milepost-';

/** A method as a `Request` can have it: those that it cannot have get another name, so that they are answered too. */
export const fetchMethod = (method: string): string =>
  forbidden.test(method) ? `${prefix}${method}` : method;

/** The method that the client sent. */
export const sentMethod = (method: string): string =>
  method.startsWith(prefix) ? method.slice(prefix.length) : method;
