/**
 * A random number generator for tests and sample data. The same seed results in the same numbers. The algorithm is
 * mulberry32: 32 bits of state are enough to vary runs, and the code is short enough to review.
 */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Consecutive seeds produce similar first numbers, so skip eight numbers.
    for (let i = 0; i < 8; i++) this.fraction();
  }

  /** Draws a number from 0 (inclusive) to 1 (exclusive). */
  readonly fraction = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Draws an integer from `least` to `most`, inclusive. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** Returns true with the given probability, from 0 to 1. */
  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.whole(0, values.length - 1)]!;
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => ({ value, at: this.fraction() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }

  readonly uuid = (): string =>
    Array.from({ length: 4 }, () => this.whole(0, 2 ** 32 - 1).toString(16)).join('-');
}
