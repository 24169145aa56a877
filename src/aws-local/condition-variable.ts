import type { Clock } from '../common/clock.ts';

/** Wakes all waiters when something changes. Waiters check the condition themselves. */
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
    // A plain reason, because creating an error with its stack trace would dominate the cost.
    const wake = (): void => woken.abort('woken');
    this.#waiting.push(wake);
    await clock.sleep(ms, woken.signal);
    this.#waiting = this.#waiting.filter((other) => other !== wake);
  }
}
