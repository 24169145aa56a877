import type { Clock } from '../common/clock.ts';

/**
 * A signal that wakes all waiting callers when shared state changes. Each caller checks whether its condition is met,
 * and waits again if not.
 */
export class ConditionVariable {
  #waiting: (() => void)[] = [];

  notify(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  /** Resolves at the next `notify`. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves at the next `notify`, or after `ms` milliseconds. */
  async waitFor(ms: number, clock: Clock): Promise<void> {
    const woken = new AbortController();
    // Without a reason, `abort` creates an error with a stack trace, which takes longer than the rest of the wait.
    const wake = (): void => woken.abort('woken');
    this.#waiting.push(wake);
    await clock.sleep(ms, woken.signal);
    this.#waiting = this.#waiting.filter((other) => other !== wake);
  }
}
