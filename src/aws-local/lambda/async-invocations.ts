import type { Clock } from '../../common/clock.ts';

/** The result of one attempt to invoke a function with an asynchronous event. */
export type AttemptResult = 'done' | 'function-error' | 'throttled';

const functionErrorWaitsMs = [60_000, 120_000];
const firstThrottleWaitMs = 1_000;
const maximumThrottleWaitMs = 300_000;
const maximumAgeMs = 6 * 3_600_000;

/**
 * Delivers events that were accepted with `InvocationType: Event`. After a function error, the event is retried after
 * one minute, and after another two minutes. An event that is throttled or cannot be invoked is retried at growing
 * intervals for up to six hours. Events are kept only in memory.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncInvocations {
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Repeats the attempt until the event is done or dropped, or until `close` is called. The promise that `attempt`
   * returns must never reject.
   */
  async deliver(attempt: () => Promise<AttemptResult>, dropped: () => void): Promise<void> {
    const acceptedAt = this.#clock.now();
    let functionErrors = 0;
    let throttleWaitMs = firstThrottleWaitMs;
    while (!this.#closing.signal.aborted) {
      const result = await attempt();
      if (result === 'done') return;
      let waitMs: number | undefined;
      if (result === 'function-error') {
        waitMs = functionErrorWaitsMs[functionErrors++];
      } else {
        waitMs = throttleWaitMs;
        throttleWaitMs = Math.min(2 * throttleWaitMs, maximumThrottleWaitMs);
      }
      if (waitMs === undefined || this.#clock.now() + waitMs - acceptedAt > maximumAgeMs) {
        return dropped();
      }
      await this.#clock.sleep(waitMs, this.#closing.signal);
    }
  }

  /** Drops all waiting events. */
  close(): void {
    this.#closing.abort();
  }
}
