/**
 * Why an endpoint did not start:
 *
 * - `port-in-use`: something else listens on the port;
 * - `data-folder`: the data folder cannot be created or written, or another process uses it;
 * - `no-implementation`: this platform has no build of the implementation;
 * - `did-not-start`: anything else; the message carries the process's last words.
 */
export type EndpointErrorCode =
  | 'port-in-use'
  | 'data-folder'
  | 'no-implementation'
  | 'did-not-start';

/** Thrown when an endpoint does not start. The message is one line, fit to show to a user. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly code: EndpointErrorCode;

  constructor(code: EndpointErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
