import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { ListPage, PageRequest } from './paging.ts';
import type { SettledResult } from './settled-result.ts';

/** A count with an upper bound; `more` is true if the bound was reached. */
export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}

/** A request for a page of dead letters. */
export interface LetterPageRequest extends PageRequest {
  /** The order of the list, by arrival. Default: `newest` first. */
  readonly order?: 'newest' | 'oldest';
}

/** The dead letter of a parked event. */
export interface ParkedLetter {
  readonly letterId: string;
  /** True if the letter's record exceeds the maximum event size. Sealing makes a record longer. */
  readonly hasLargeLetter?: true;
}

/**
 * Stores dead letters. Putting the same letter again changes nothing. Letters expire, except while their event is
 * parked.
 */
export interface DeadLetterStore {
  /** Stores letters. The letter of a parked event is not overwritten. */
  put(letters: readonly DeadLetter[]): Promise<SettledResult<void>[]>;
  /** Replaces a letter, for example with another reason, unless the letter was removed in the meantime. */
  replace(letter: DeadLetter): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** Lists letters. A cursor is the id of the last letter on the previous page. */
  list(page: LetterPageRequest): Promise<ListPage<DeadLetter>>;
  /** Counts letters, up to about `limit`. */
  count(limit: number): Promise<CappedCount>;
  /** Removes a letter. Has no effect if the letter does not exist. */
  remove(id: string): Promise<void>;
  /** Removes the letters of parked events. Letters that do not exist are ignored. */
  removeParked(letters: readonly ParkedLetter[]): Promise<void>;
}
