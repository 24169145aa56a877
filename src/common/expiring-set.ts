import type { Clock } from './clock.ts';

/** Names that were noted a short while ago; how many there are is bounded by how often one is noted. */
export class ExpiringSet {
  readonly #clock: Clock;
  readonly #period: number;
  #since: number;
  #younger = new Set<string>();
  #older = new Set<string>();

  /** @param period for so long, in milliseconds, a name is surely kept, and for twice as long at most. */
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
    const now = this.#clock.now();
    const age = now - this.#since;
    if (age < this.#period) return;
    this.#older = age < 2 * this.#period ? this.#younger : new Set();
    this.#younger = new Set();
    this.#since = now;
  }
}
