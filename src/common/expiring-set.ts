import { type Clock, timeLeft } from './clock.ts';

/**
 * A set whose members expire: it contains all members that were added in the last period, and no member that was added
 * more than three periods ago.
 */
export class ExpiringSet {
  readonly #clock: Clock;
  readonly #period: number;
  #since: number;
  #younger = new Set<string>();
  #older = new Set<string>();

  /** @param period the minimum lifetime of a member, in milliseconds; the maximum is three times as long. */
  constructor(clock: Clock, period: number) {
    this.#clock = clock;
    this.#period = period;
    this.#since = clock.now();
  }

  add(name: string): void {
    this.#forget();
    this.#younger.add(name);
  }

  has(name: string): boolean {
    this.#forget();
    return this.#younger.has(name) || this.#older.has(name);
  }

  #forget(): void {
    if (timeLeft(this.#clock, this.#since, this.#period) > 0) return;
    const now = this.#clock.now();
    this.#older = now - this.#since < 2 * this.#period ? this.#younger : new Set();
    this.#younger = new Set();
    this.#since = now;
  }
}
