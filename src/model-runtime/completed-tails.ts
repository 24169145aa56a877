import type { CommitTail } from '../core/history/commit.ts';

/** The maximum number of commits to remember, which use a few hundred kilobytes of memory. */
const capacity = 10_000;

/**
 * The commits whose tails this process completed. If one instance of a batch fails, the stream also redelivers the
 * events of the other instances. This process then does not repeat the effects of those events. Another process repeats
 * them, which is harmless.
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
