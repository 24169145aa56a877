import type { CommitTail } from '../core/history/commit.ts';

/** The maximum number of commits to remember, which take a few hundred kilobytes. */
const capacity = 10_000;

/**
 * The commits whose tails this process completed. If one instance of a batch fails, the stream also redelivers the
 * events of the others; this process then does not repeat their effects. Another process would repeat them, which is
 * harmless.
 */
export class CompletedTails {
  readonly #names = new Set<string>();

  has(commit: CommitTail): boolean {
    return this.#names.has(nameOf(commit));
  }

  add(commit: CommitTail): void {
    this.#names.add(nameOf(commit));
    if (this.#names.size <= capacity) return;
    const [oldest] = this.#names;
    this.#names.delete(oldest!);
  }
}

const nameOf = ({ model, transaction, version }: CommitTail) =>
  `${model}/${version}/${transaction}`;
