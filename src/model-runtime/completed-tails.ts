import type { CommitTail } from '../core/history/commit.ts';

/** The most commits that are remembered: a few hundred kilobytes. */
const capacity = 10_000;

/**
 * The commits whose tails this process completed. When one instance of a batch fails, the stream
 * delivers the others again too; their effects are then not repeated. Another process repeats them,
 * which changes nothing.
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
