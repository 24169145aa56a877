import type { ErrorPayload } from './environment/runtime-error.ts';

/** The failure of an invocation whose execution environment ended before it returned a result. */
export interface EnvironmentFailure {
  readonly payload: ErrorPayload;
  readonly status: 'timeout' | 'error';
  /** The text of the failure in Lambda's log. */
  readonly log: string;
}

/** Builds the failure of an invocation that exceeded the function's timeout. */
export function timeoutFailure(requestId: string, timeoutSeconds: number): EnvironmentFailure {
  const what = `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
  return {
    payload: {
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${requestId} Error: ${what}`,
    },
    status: 'timeout',
    log: `${new Date().toISOString()} ${requestId} ${what}\n\n`,
  };
}

/** The names of signals in Lambda's messages, where they differ from the names in Node.js. */
const signalNames: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGILL: 'illegal instruction',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
  SIGTRAP: 'trace/breakpoint trap',
};

/** Builds the failure of an invocation whose process exited: normally, with an error status, or because of a signal. */
export function exitFailure(
  requestId: string,
  { status, signal }: { status: number | null; signal: NodeJS.Signals | null },
): EnvironmentFailure {
  let what = 'Runtime exited without providing a reason';
  if (signal !== null) {
    what = `Runtime exited with error: signal: ${signalNames[signal] ?? signal}`;
  } else if (status !== 0) {
    what = `Runtime exited with error: exit status ${status}`;
  }
  return ended(requestId, 'Runtime.ExitError', what);
}

/** Builds the failure of an invocation that exceeded the function's memory. */
export function outOfMemoryFailure(requestId: string): EnvironmentFailure {
  return ended(requestId, 'Runtime.OutOfMemory', 'Runtime exited with error: signal: killed');
}

function ended(requestId: string, errorType: string, what: string): EnvironmentFailure {
  const errorMessage = `RequestId: ${requestId} Error: ${what}`;
  return {
    payload: { errorType, errorMessage },
    status: 'error',
    log: `${errorMessage}\n${errorType}\n`,
  };
}
