import { type Clock, timeLeft } from './clock.ts';

/** A set whose members expire. It contains at most the members that were added in the last two periods. */
export class ExpiringSet {
  readonly #clock: Clock;
  readonly #period: number;
  #since: number;
  #younger = new Set<string>();
  #older = new Set<string>();

  /** @param period the minimum lifetime of a member, in milliseconds; the maximum is twice that. */
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
