/** What a log says of an error, in fields. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Where it was thrown, without the message, which stands at the head of a stack. */
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
}

/** An error as a log may have it: V8 quotes what it cannot read as JSON, which may be of an event. */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: 'no error was thrown' };
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
