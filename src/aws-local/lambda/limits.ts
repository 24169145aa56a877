/**
 * The maximum payload sizes of Lambda, in bytes.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const requestLimitBytes = { RequestResponse: 6_291_456, Event: 1_048_576 } as const;

/** The maximum size of a response in bytes: 6 MB, plus the 100 bytes that AWS allows for its envelope. */
export const responseLimitBytes = 6_291_556;

/** The payload that replaces a response above the limit. */
export const responseTooLarge = JSON.stringify({
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${responseLimitBytes} bytes).`,
});

/** The length of the log excerpt that `LogType: Tail` returns, in bytes. */
export const logTailBytes = 4_096;

/**
 * The length, in characters, at which an unfinished line of a function's log is logged without waiting for its end. AWS
 * also splits long log events.
 */
export const maximumLogLineLength = 262_144;

/**
 * The maximum length of an invocation's log, in characters. The local service omits the rest so that endless output
 * does not fill the disk. AWS has no such limit.
 */
export const maximumLogLength = 10 * 1_048_576;

/**
 * How long a function may take to load, in milliseconds.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
export const initLimitMs = 10_000;

/**
 * The minimum memory limit of a function, in MB. Functions with a lower setting run with this limit because Node.js
 * itself uses a large part of the memory.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const minimumMemoryMb = 128;

/**
 * The interval between checks of a function's memory, in milliseconds. In AWS, the kernel enforces the memory limit.
 */
export const memoryCheckIntervalMs = 100;

/**
 * How long an invocation waits in the queue before another environment starts, in milliseconds. Most invocations are
 * shorter, so usually an environment becomes free within this time. A start takes about 0.1 s of CPU time.
 */
export const promptQueueWaitMs = 50;

/** How long an invocation is first in the queue before the running invocations are assumed to hang, in milliseconds. */
export const maximumQueueWaitMs = 1_000;

/**
 * How long an idle environment is kept, in milliseconds. AWS does not document its own value. On this machine, a short
 * lifetime costs little because a start takes less than a tenth of a second.
 */
export const maximumIdleMs = 60_000;
