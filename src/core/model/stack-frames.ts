/** A position in a stack trace, with the function's name. */
export interface StackFrame {
  /** The file: a path, or a URL such as `node:internal/timers`. */
  readonly file: string;
  /** The line, starting at 1. */
  readonly line: number;
  /** The column, starting at 1. */
  readonly column: number;
  /** The name of the function in V8's notation; empty if it has no name. */
  readonly name: string;
}

const pattern = /^ {4}at (?:async )?(?:(.*) \()?(file:\/\/)?([^()]+?):(\d+):(\d+)\)?$/;

/**
 * Returns the positions in an error's stack trace, innermost first. The message at the start of the trace, which may
 * have several lines, is skipped.
 */
export function stackFrames(thrown: unknown): StackFrame[] {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return [];
  const { stack, message } = thrown;
  const start = stack.indexOf(message);
  const frames = start === -1 ? stack : stack.slice(start + message.length);
  return frames.split('\n').flatMap((line) => frameIn(line) ?? []);
}

/** Parses a line of a stack trace; undefined if it has no position. */
export function frameIn(line: string): StackFrame | undefined {
  const [, name = '', scheme, place, row, column] = pattern.exec(line) ?? [];
  if (place === undefined) return undefined;
  // Remove the query of the URL that the module was imported with.
  const file = scheme ? place.replace(/[?#].*/, '') : place;
  return { name, file: decoded(file), line: Number(row), column: Number(column) };
}

function decoded(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}
