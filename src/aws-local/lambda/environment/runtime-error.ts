/**
 * The error thrown when the runtime cannot load a handler or encode its result, with the name that AWS's Node.js
 * runtime uses, such as `Runtime.ImportModuleError`.
 */
export class RuntimeError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** A function error as Invoke returns it. */
export interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/**
 * Converts a thrown value to a function error, as AWS's Node.js runtime does.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html
 */
export function errorPayload(thrown: unknown): ErrorPayload {
  if (thrown instanceof Error) {
    return {
      errorType: thrown.name,
      errorMessage: thrown.message,
      trace: thrown.stack?.split('\n') ?? [],
    };
  }
  return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
}

/** Returns the JSON that AWS's runtime logs for a thrown value, including own properties and nested causes. */
export function errorLogJson(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  try {
    return JSON.stringify(error, (_key, value: unknown) =>
      value instanceof Error
        ? Object.assign({ errorType: value.name, errorMessage: value.message }, value, {
            stack: value.stack?.split('\n'),
          })
        : value,
    );
  } catch {
    // The value is circular, so log only its type, message, and stack.
    return JSON.stringify(errorPayload(error));
  }
}
