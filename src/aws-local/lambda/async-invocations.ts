import type { Clock } from '../../common/clock.ts';

/** How one attempt at an asynchronous event ended. */
export type AttemptResult = 'done' | 'function-error' | 'throttled';

const functionErrorWaitsMs = [60_000, 120_000];
const firstThrottleWaitMs = 1_000;
const maximumThrottleWaitMs = 300_000;
const maximumAgeMs = 6 * 3_600_000;

/**
 * Events that were taken with `InvocationType: Event`. A function error is
 * tried again after one minute, and once more after two; a throttled event
 * for up to six hours, at growing intervals. The events are in memory alone.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncInvocations {
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Attempts until the event is done or given up; `attempt` never rejects. */
  async deliver(attempt: () => Promise<AttemptResult>, dropped: () => void): Promise<void> {
    const taken = this.#clock.now();
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
      if (waitMs === undefined || this.#clock.now() + waitMs - taken > maximumAgeMs) {
        return dropped();
      }
      await this.#clock.sleep(waitMs, this.#closing.signal);
    }
  }

  /** Forgets every event that is waiting. */
  close(): void {
    this.#closing.abort();
  }
}
