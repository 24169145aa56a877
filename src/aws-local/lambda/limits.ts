/**
 * Sizes that Lambda takes, in bytes.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const requestLimitBytes = { RequestResponse: 6_291_456, Event: 1_048_576 } as const;

/** 6 MB and what AWS allows for its own envelope. */
export const responseLimitBytes = 6_291_556;

/** How much of an invocation's log comes back with `LogType: Tail`. */
export const logTailBytes = 4_096;

/**
 * How long a module may take to load.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
export const initLimitMs = 10_000;

/**
 * The least that a function can have; Node.js itself takes a good part of it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const minimumMemoryMb = 128;

/** How often a running function's memory is looked at. Lambda itself has the kernel watch it. */
export const memoryCheckIntervalMs = 100;

/** How long an invocation waits behind others before it is taken that those hang. */
export const maximumQueueWaitMs = 1_000;

/** How long an environment with nothing to do is kept. Lambda names no time of its own. */
export const maximumIdleMs = 300_000;
