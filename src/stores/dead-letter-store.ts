import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { ListPage, PageRequest } from './paging.ts';
import type { SettledResult } from './settled-result.ts';

/** The dead letter of a parked event. */
export interface ParkedLetter {
  readonly letterId: string;
  /** True if the letter's record is larger than an event may be, as a sealed one can be. */
  readonly hasLargeLetter?: true;
}

/**
 * Where records go that are no events. Putting the same one again changes nothing. A letter expires
 * after a while, but not as long as its event is parked.
 */
export interface DeadLetterStore {
  /** Puts letters; one of an event that is parked stays, whatever else is said of its record. */
  put(letters: readonly DeadLetter[]): Promise<SettledResult<void>[]>;
  /** Says anew why a letter is there, unless it was taken out meanwhile. */
  replace(letter: DeadLetter): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<ListPage<DeadLetter>>;
  /** Takes a letter out; that it is gone already is fine. */
  remove(id: string): Promise<void>;
  /** Takes out the letters of parked events; that one is gone already is fine. */
  removeParked(letters: readonly ParkedLetter[]): Promise<void>;
}
