/**
 * The maximum payload sizes of Lambda in bytes.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const requestLimitBytes = { RequestResponse: 6_291_456, Event: 1_048_576 } as const;

/** 6 MB plus AWS's allowance for its own envelope. */
export const responseLimitBytes = 6_291_556;

/** The length of the log excerpt that `LogType: Tail` returns. */
export const logTailBytes = 4_096;

/**
 * The time limit for loading a module.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
export const initLimitMs = 10_000;

/**
 * The minimum memory of a function. Node.js itself takes a large part of it.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const minimumMemoryMb = 128;

/** The interval of memory checks. In AWS, the kernel enforces the limit. */
export const memoryCheckIntervalMs = 100;

/** The time that an invocation waits in the queue before the running ones are assumed to hang. */
export const maximumQueueWaitMs = 1_000;

/** The time that an idle environment is kept. AWS does not document its own. */
export const maximumIdleMs = 300_000;
