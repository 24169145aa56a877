import type { ErrorPayload } from './environment/runtime-error.ts';

/** An execution environment came to its end before it had answered. */
export interface EnvironmentFailure {
  readonly payload: ErrorPayload;
  readonly status: 'timeout' | 'error';
  /** What Lambda writes to the log about it. */
  readonly log: string;
}

/** The function ran longer than it may. */
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

/** The names that Lambda gives to signals, where they are others than in Node.js. */
const signalNames: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGILL: 'illegal instruction',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
  SIGTRAP: 'trace/breakpoint trap',
};

/** The function ended its process, an error that nobody caught did, or a signal. */
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

/** The function took more memory than it has. */
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
