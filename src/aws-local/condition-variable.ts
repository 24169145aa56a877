import type { Clock } from '../common/clock.ts';

/**
 * Wakes all waiting callers when something changes. Each caller checks its own condition and waits again if necessary.
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
    // The default reason is an error with a stack trace, which costs more than the rest of the wait.
    const wake = (): void => woken.abort('woken');
    this.#waiting.push(wake);
    await clock.sleep(ms, woken.signal);
    this.#waiting = this.#waiting.filter((other) => other !== wake);
  }
}
