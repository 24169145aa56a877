/**
 * Time that passes only in waiting: all requests under way are answered together, and then a round
 * is over. How many rounds something takes is how often it waits for an answer.
 */
export class Rounds {
  #waiting: (() => void)[] = [];
  #count = 0;

  /** How many are over. */
  get count(): number {
    return this.#count;
  }

  /** Waits for an answer. */
  answer(): Promise<void> {
    // When nothing else is left to do, all that are wanted by then come.
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
