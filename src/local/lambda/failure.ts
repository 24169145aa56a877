import type { ErrorPayload } from './runtime-error.ts';

/** An execution environment came to its end before it had answered. */
export interface Failure {
  payload: ErrorPayload;
  status: 'timeout' | 'error';
  /** What Lambda writes to the log about it. */
  log: string;
}

/** The function ran longer than it may. */
export function timeoutFailure(requestId: string, timeoutSeconds: number): Failure {
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

/** The function ended its process, or an error that nobody caught did. */
export function exitFailure(requestId: string, exitStatus: number): Failure {
  return ended(
    requestId,
    'Runtime.ExitError',
    exitStatus === 0
      ? 'Runtime exited without providing a reason'
      : `Runtime exited with error: exit status ${exitStatus}`,
  );
}

/** The function took more memory than it has. */
export function outOfMemoryFailure(requestId: string): Failure {
  return ended(requestId, 'Runtime.OutOfMemory', 'Runtime exited with error: signal: killed');
}

function ended(requestId: string, errorType: string, what: string): Failure {
  const errorMessage = `RequestId: ${requestId} Error: ${what}`;
  return {
    payload: { errorType, errorMessage },
    status: 'error',
    log: `${errorMessage}\n${errorType}\n`,
  };
}
