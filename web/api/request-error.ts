/** The error thrown when a request to the API fails, with a message for users. */
export class RequestError extends Error {
  /** The HTTP status; 0 if the service could not be reached. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RequestError';
    this.status = status;
  }

  /** True if the same request can succeed later, because the service cannot be reached, is busy, or failed. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
