/**
 * Counts rounds of concurrent requests. A round ends when no other code can run: all pending requests then receive
 * their responses. The number of rounds is therefore the number of sequential waits.
 */
export class Rounds {
  #waiting: (() => void)[] = [];
  #count = 0;

  /** The number of completed rounds. */
  get count(): number {
    return this.#count;
  }

  /** Resolves at the end of the current round, when the simulated response arrives. */
  answer(): Promise<void> {
    // End the round after all code that can run without a response has run.
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
