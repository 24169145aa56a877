import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { CappedCount } from './capped-count.ts';
import type { ListPage, PageRequest } from './paging.ts';
import type { SettledResult } from './settled-result.ts';

/** A request for a page of dead letters. */
export interface LetterPageRequest extends PageRequest {
  /** The order of the list, by arrival. Default: `newest` first. */
  readonly order?: 'newest' | 'oldest';
}

/** The dead letter of a parked event. */
export interface ParkedLetter {
  readonly letterId: string;
  /**
   * True if the dead letter's record exceeds the maximum event size, which is possible because sealing lengthens it.
   */
  readonly hasLargeLetter?: true;
}

/**
 * Stores dead letters. Putting the same dead letter again only postpones its expiry. A dead letter expires, except
 * while its event is parked.
 */
export interface DeadLetterStore {
  /** Stores dead letters. The dead letter of a parked event is not overwritten. */
  put(letters: readonly DeadLetter[]): Promise<SettledResult<void>[]>;
  /** Replaces a dead letter, for example, to change its reason, unless it was removed in the meantime. */
  replace(letter: DeadLetter): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** Lists dead letters. A cursor is the id of the last dead letter on the previous page. */
  list(page: LetterPageRequest): Promise<ListPage<DeadLetter>>;
  /** Counts dead letters, up to about `limit`. */
  count(limit: number): Promise<CappedCount>;
  /**
   * Claims a dead letter so that concurrent callers do not put its record on the stream twice. A claim ends when
   * `release` is called or after half a minute.
   *
   * @returns false if another caller has claimed the dead letter, or if it does not exist.
   */
  claim(id: string): Promise<boolean>;
  /** Ends the claim on a dead letter. Has no effect if the dead letter does not exist. */
  release(id: string): Promise<void>;
  /** Removes a dead letter. Has no effect if the dead letter does not exist. */
  remove(id: string): Promise<void>;
  /** Removes the dead letters of parked events. Missing dead letters are ignored. */
  removeParked(letters: readonly ParkedLetter[]): Promise<void>;
}
