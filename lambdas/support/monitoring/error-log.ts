export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** The stack frames, without the message. */
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
}

/**
 * Converts an error for the log. Omits the messages of JSON errors, because they quote the parsed text, which can be an
 * event.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'the thrown value is not an error' };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: quotesJson(error) ? 'not JSON' : error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack?.split('\n').flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? []),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
  };
}

const quotesJson = (error: Error) =>
  error instanceof SyntaxError || (error as { code?: unknown }).code === 'not-json';
