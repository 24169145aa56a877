/** Thrown if a server cannot start for a reason that the user can fix. The message is one line. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
