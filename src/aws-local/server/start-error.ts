/**
 * The error thrown when the service cannot start for a reason that the user can fix. The message explains the reason,
 * usually in one line.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
