import type { Clock } from './clock.ts';

/** A time limit, as a point in time: for example, when an invocation must respond. */
export class Deadline {
  /** The deadline in milliseconds since 1970; `Infinity` if there is none. */
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

  /** The time until the deadline, in milliseconds; 0 after the deadline. */
  get remaining(): number {
    return Math.max(0, this.at - this.#clock.now());
  }

  get hasPassed(): boolean {
    return this.remaining === 0;
  }

  /** A deadline that is `ms` milliseconds from now. */
  static in(clock: Clock, ms: number): Deadline {
    return new Deadline(clock, clock.now() + ms);
  }

  /** Returns a deadline that is `ms` milliseconds earlier than this deadline. */
  earlierBy(ms: number): Deadline {
    return new Deadline(this.#clock, this.at - ms);
  }

  /** Returns a deadline that is `ms` milliseconds from now, but never later than this deadline. */
  within(ms: number): Deadline {
    return new Deadline(this.#clock, Math.min(this.at, this.#clock.now() + ms));
  }

  /**
   * Resolves to the value of `work`, or to `'late'` if the deadline passes first. Late work is not canceled but
   * continues in the background, so the work must be safe to repeat.
   */
  async race<Value>(work: Promise<Value>): Promise<Value | 'late'> {
    if (this.at === Number.POSITIVE_INFINITY) return work;
    const timer = new AbortController();
    const expiry = this.#clock.sleep(this.remaining, timer.signal);
    try {
      return await Promise.race([work, expiry.then(() => 'late' as const)]);
    } finally {
      // Without a reason, `abort` creates an error with a stack trace for each race.
      timer.abort('settled');
      work.catch(() => undefined);
    }
  }
}
