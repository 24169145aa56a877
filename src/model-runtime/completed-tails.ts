import type { CommitTail } from '../core/history/commit.ts';

/** The maximum number of commits to remember: a few hundred kilobytes. */
const capacity = 10_000;

/**
 * The commits whose tails this process completed. If one instance of a batch fails, the stream redelivers the
 * others too; their effects are then not repeated. Another process would repeat them, which changes nothing.
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
