import { RecentMap } from '../common/recent-map.ts';
import type { CommitTail } from '../core/history/commit.ts';

/** The minimum number of commits to remember. Twice as many commits use a few megabytes of memory. */
const rememberedCommits = 10_000;

/** A whole tail or a part of it: the events on the event stream, or the notifications. */
export type TailPart = 'whole' | 'events' | 'notifications';

/**
 * The commits whose tails, or parts of tails, this process has completed. If one instance in a batch fails, the stream
 * also redelivers the events of the other instances. This process then does not repeat the effects of those events. If
 * one part of a tail keeps failing, this process does not repeat the other parts with every redelivery. Another process
 * repeats these parts, which is harmless.
 */
export class CompletedTails {
  readonly #parts = new RecentMap<readonly TailPart[]>(rememberedCommits);

  /** @param part the part of the tail. Default: the whole tail. */
  has(commit: CommitTail, part: TailPart = 'whole'): boolean {
    return this.#parts.get(nameOf(commit))?.includes(part) ?? false;
  }

  /** @param part the part of the tail. Default: the whole tail. */
  add(commit: CommitTail, part: TailPart = 'whole'): void {
    const name = nameOf(commit);
    const parts = this.#parts.get(name) ?? [];
    this.#parts.set(name, parts.includes(part) ? parts : [...parts, part]);
  }
}

const nameOf = ({ model, transaction, version }: CommitTail) =>
  `${model}/${version}/${transaction}`;
