import type { Account } from '../../models/activation/model.ts';
import type { Work, WorkEvent } from '../support/work.ts';

/**
 * How events are handed over. `each`: one by one, as they come; `folded`: the five of an instance
 * in one call, put together by hand.
 */
export type Mode = 'each' | 'folded';

/** What a reader has to know to compare figures. */
export interface Facts {
  /** Whether what was acknowledged is on the disk. */
  readonly disk: string;
  readonly duplicates: string;
  /** How events of several instances, and of one, are handled at the same time. */
  readonly interleaving: string;
  /** What else it does or does not do, and which processes are its app side. */
  readonly otherwise: string;
}

/** Something that the work is done with. */
export interface Side {
  readonly name: string;
  readonly facts: Facts;
  /** Why it cannot run on this machine; undefined where it can. */
  missing(): Promise<string | undefined>;
  /** Whether it does this; where it does not, the facts say why. */
  does(order: Work['order'], mode: Mode): boolean;
  /** Whether it takes events from elsewhere, so that it can be asked how long that takes. */
  readonly paced: boolean;
  /** The most events it is given on one instance, where each costs more than the one before. */
  readonly maximumEventsPerInstance?: number;
  /** Starts it anew, with its data in the folder. */
  start(folder: string): Promise<Running>;
}

/** What a process does. `app` is what a user would run of their own or pay Lambda for. */
export type Role = 'app' | 'event source' | 'endpoints' | 'server' | 'client' | 'other';

/** A side that has been started. Disposing of it ends all of its processes. */
export interface Running extends AsyncDisposable {
  /** The processes that it has now. */
  processes(): ReadonlyMap<number, Role>;
  /** Hands over the work; resolves when all of it is accepted, which may be before it is done. */
  put(work: Work, mode: Mode): Promise<void>;
  /** Hands over these events at once, each on an instance of its own. Where the side is paced. */
  send?(events: readonly WorkEvent[]): Promise<void>;
  /** An instance's state as a user would read it; undefined where it is not there yet. */
  read(transaction: string): Promise<Account | undefined>;
}
