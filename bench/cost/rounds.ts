/**
 * A clock that advances only by waiting: all requests in flight are answered together, which ends a round. The number
 * of rounds is the number of sequential waits.
 */
export class Rounds {
  #waiting: (() => void)[] = [];
  #count = 0;

  /** The number of completed rounds. */
  get count(): number {
    return this.#count;
  }

  /** Waits for a response. */
  answer(): Promise<void> {
    // When nothing else is left to run, all requests in flight are answered.
    if (this.#waiting.length === 0) setImmediate(() => this.#next());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#count += 1;
    for (const resolve of waiting) resolve();
  }
}
