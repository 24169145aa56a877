import type { Clock } from '../../../common/clock.ts';
import { retry } from '../../../common/retry.ts';
import { isBusy, isOutage } from '../../../core/errors.ts';

/**
 * The number of attempts and the delays in the AWS SDK's standard retry mode. Delays are in milliseconds and double up
 * to the maximum.
 */
const attempts = 3;
const firstWait = 100;
const firstWaitWhenThrottled = 500;
const maximumWait = 20_000;
/**
 * How long after the start of the first attempt another attempt can start, in milliseconds. A slow service is therefore
 * not called repeatedly.
 */
const maximumRetryTime = 4_000;

/**
 * Makes a call and repeats it up to two times if it fails with a temporary error.
 *
 * @throws the error from the last attempt.
 */
export function withRetries<Answer>(call: () => Promise<Answer>, clock: Clock): Promise<Answer> {
  const lastStart = clock.now() + maximumRetryTime;
  return retry(call, {
    attempts,
    clock,
    pauseAfter: (error, attempt) => {
      const wait = firstWaitAfter(error);
      if (wait === undefined) return undefined;
      const pause = Math.random() * Math.min(maximumWait, wait * 2 ** (attempt - 1));
      return clock.now() + pause > lastStart ? undefined : pause;
    },
  });
}

/** Returns the maximum delay before the first retry, in milliseconds; undefined if a retry would not help. */
function firstWaitAfter(error: unknown): number | undefined {
  if (isBusy(error)) return firstWaitWhenThrottled;
  return isOutage(error) ? firstWait : undefined;
}
