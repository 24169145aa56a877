import type { Account } from '../../models/activation/model.ts';
import type { Work, WorkEvent } from '../support/work.ts';

/**
 * The mode of passing events. `each`: individually, as they arrive; `folded`: the five events of an instance in one
 * call, combined by the caller.
 */
export type Mode = 'each' | 'folded';

/** Facts that readers need to compare the figures. */
export interface Facts {
  /** Whether acknowledged events are on disk. */
  readonly disk: string;
  readonly duplicates: string;
  /** The concurrency of events of several instances, and of one instance. */
  readonly interleaving: string;
  /** Other features and limits, and the processes of the app side. */
  readonly otherwise: string;
}

/** A system that is measured. */
export interface Side {
  readonly name: string;
  readonly facts: Facts;
  /** The reason why it cannot run on this machine, or undefined if it can. */
  missing(): Promise<string | undefined>;
  /** Whether it supports this work. If not, the facts explain why. */
  does(order: Work['order'], mode: Mode): boolean;
  /** Whether it accepts events from outside, so that latency can be measured. */
  readonly paced: boolean;
  /** The maximum number of events on one instance, if each is more expensive than the previous one. */
  readonly maximumEventsPerInstance?: number;
  /** Starts a new instance of it, with its data in the folder. */
  start(folder: string): Promise<Running>;
}

/** The role of a process. `app` is the part that users run themselves or pay Lambda for. */
export type Role = 'app' | 'event source' | 'endpoints' | 'server' | 'client' | 'other';

/** A running system. Disposing ends all of its processes. */
export interface Running extends AsyncDisposable {
  /** Its current processes. */
  processes(): ReadonlyMap<number, Role>;
  /** Passes the work on. Resolves when all of it is accepted, which may be before it is done. */
  put(work: Work, mode: Mode): Promise<void>;
  /** Passes events of distinct instances on at once. Defined if the system is paced. */
  send?(events: readonly WorkEvent[]): Promise<void>;
  /** An instance's state as users read it, or undefined if it does not exist yet. */
  read(transaction: string): Promise<Account | undefined>;
}
