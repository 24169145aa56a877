import type { Clock } from '../../src/common/clock.ts';

interface Sleeper {
  at: number;
  readonly wake: () => void;
}

/** A clock that tests advance. Sleepers wake in the order of their times. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Advances by `ms` milliseconds. Whenever a sleeper wakes, waits until the work that it triggers has settled. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.settle();
    while (this.#wakeNext(end)) await this.settle();
    this.#now = end;
  }

  /** Repeatedly advances to the time of the next sleeper until the promise settles. */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const watched = promise.finally(() => {
      isSettled = true;
    });
    watched.catch(() => undefined);
    await this.settle();
    while (!isSettled) {
      if (!this.#wakeNext(Infinity))
        throw new Error('the promise can never settle: nothing waits for the clock');
      await this.settle();
    }
    return watched;
  }

  /** Sets the time back, like a correction of a computer's clock. The delays of sleepers do not change. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.at -= ms;
  }

  /** Resolves when all work that waits only for promises is done. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  #wakeNext(end: number): boolean {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at <= end && (next === undefined || sleeper.at < next.at)) next = sleeper;
    }
    if (next === undefined) return false;
    this.#now = Math.max(this.#now, next.at);
    next.wake();
    return true;
  }
}
