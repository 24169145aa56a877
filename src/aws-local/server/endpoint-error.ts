/**
 * The reason why an endpoint failed to start:
 *
 * - `port-in-use`: another program is listening on the port;
 * - `data-folder`: the data folder cannot be created or written, or another process uses it;
 * - `no-implementation`: the implementation has no build for this platform;
 * - `did-not-start`: any other reason. The message contains the error, or the end of the process's standard error.
 */
export type EndpointErrorCode =
  | 'port-in-use'
  | 'data-folder'
  | 'no-implementation'
  | 'did-not-start';

/** The error thrown when an endpoint fails to start. The message is a single line for users. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly code: EndpointErrorCode;

  constructor(code: EndpointErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
