/**
 * Everything that is left to chance in a run, drawn from its seed: mulberry32, a generator of 32
 * bits of state, is enough to vary runs and small enough to read.
 */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Seeds that follow each other begin alike; a few steps part them.
    for (let i = 0; i < 8; i++) this.fraction();
  }

  /** At least 0, less than 1. */
  readonly fraction = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number between both, these included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** True so often. */
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
