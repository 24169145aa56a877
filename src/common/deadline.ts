import type { Clock } from './clock.ts';

/** The moment by which an invocation has to answer. */
export class Deadline {
  /** Milliseconds since 1970; `Infinity` for no deadline. */
  readonly at: number;
  readonly #clock: Clock;

  constructor(clock: Clock, at: number) {
    this.#clock = clock;
    this.at = at;
  }

  /** A deadline that never passes. */
  static none(clock: Clock): Deadline {
    return new Deadline(clock, Number.POSITIVE_INFINITY);
  }

  /** The milliseconds that are left; 0 once the deadline has passed. */
  get remaining(): number {
    return Math.max(0, this.at - this.#clock.now());
  }

  get hasPassed(): boolean {
    return this.remaining === 0;
  }

  /** A deadline that is earlier by this many milliseconds. */
  earlierBy(ms: number): Deadline {
    return new Deadline(this.#clock, this.at - ms);
  }

  /** The earlier of this deadline and one this many milliseconds from now. */
  within(ms: number): Deadline {
    return new Deadline(this.#clock, Math.min(this.at, this.#clock.now() + ms));
  }

  /**
   * Resolves to the value of `work`, or to `'late'` if the deadline passes first. Late work cannot be
   * stopped: it goes on unobserved, so it must be safe to do it again.
   */
  async race<Value>(work: Promise<Value>): Promise<Value | 'late'> {
    if (this.at === Number.POSITIVE_INFINITY) return work;
    const timer = new AbortController();
    const expiry = this.#clock.sleep(this.remaining, timer.signal);
    try {
      return await Promise.race([work, expiry.then(() => 'late' as const)]);
    } finally {
      timer.abort();
      work.catch(() => undefined);
    }
  }
}
