import type { Clock } from '../common/clock.ts';

/** Wakes whoever waits for something to change. Who waits looks for itself what changed. */
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
    // With a reason of its own: to make an error of each would cost more than all the rest.
    const wake = (): void => woken.abort('woken');
    this.#waiting.push(wake);
    await clock.sleep(ms, woken.signal);
    this.#waiting = this.#waiting.filter((other) => other !== wake);
  }
}
