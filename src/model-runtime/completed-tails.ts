import type { CommitTail } from '../core/history/commit.ts';

/** The maximum number of commits to remember, which use a few hundred kilobytes of memory. */
const capacity = 10_000;

/** A tail as a whole, or a part of it: the events on the event stream, or the notifications. */
export type TailPart = 'whole' | 'events' | 'notifications';

/**
 * The commits whose tails, or parts of tails, this process has completed. If one instance of a batch fails, the stream
 * also redelivers the events of the other instances. This process then does not repeat the effects of those events. If
 * one part of a tail keeps failing, this process does not repeat the other parts with every redelivery. Another process
 * repeats them, which is harmless.
 */
export class CompletedTails {
  readonly #names = new Set<string>();

  /** @param part the part of the tail. Default: the whole tail. */
  has(commit: CommitTail, part: TailPart = 'whole'): boolean {
    return this.#names.has(nameOf(commit, part));
  }

  /** @param part the part of the tail. Default: the whole tail. */
  add(commit: CommitTail, part: TailPart = 'whole'): void {
    this.#names.add(nameOf(commit, part));
    if (this.#names.size <= capacity) return;
    const [oldest] = this.#names;
    this.#names.delete(oldest!);
  }
}

const nameOf = ({ model, transaction, version }: CommitTail, part: TailPart) =>
  `${part}/${model}/${version}/${transaction}`;
