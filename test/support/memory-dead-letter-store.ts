import type { DeadLetter } from '../../src/core/event/dead-letter.ts';
import type { ParkedEvent } from '../../src/parking/parking-store.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { ListPage, PageRequest } from '../../src/stores/paging.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';

/** Dead letters in memory, by id. */
export class MemoryDeadLetterStore implements DeadLetterStore {
  readonly letters = new Map<string, DeadLetter>();
  /** Called before a letter is put; what it throws fails the put for that letter. */
  interfere: (letter: DeadLetter) => void = () => {};

  async put(letters: readonly DeadLetter[]): Promise<SettledResult<void>[]> {
    await Promise.resolve();
    return letters.map((letter) => {
      try {
        this.interfere(letter);
        if (!this.letters.get(letter.id)?.parked) this.letters.set(letter.id, letter);
        return { value: undefined };
      } catch (error) {
        return { error };
      }
    });
  }

  replace(letter: DeadLetter): Promise<void> {
    if (this.letters.has(letter.id)) this.letters.set(letter.id, letter);
    return Promise.resolve();
  }

  get(id: string): Promise<DeadLetter | undefined> {
    return Promise.resolve(this.letters.get(id));
  }

  list({ limit, cursor = '~' }: PageRequest): Promise<ListPage<DeadLetter>> {
    const newest = [...this.letters.values()]
      .filter(({ id }) => id < cursor)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const items = newest.slice(0, limit);
    return Promise.resolve(newest.length > limit ? { items, cursor: items.at(-1)!.id } : { items });
  }

  remove(id: string): Promise<void> {
    this.letters.delete(id);
    return Promise.resolve();
  }

  removeParked(parked: readonly Pick<ParkedEvent, 'letterId'>[]): Promise<void> {
    for (const { letterId } of parked) this.letters.delete(letterId);
    return Promise.resolve();
  }
}
