import type { Account } from '../../models/activation/model.ts';
import type { Work, WorkEvent } from '../support/work.ts';

/**
 * The modes of passing events to a system. `each` passes every event as it arrives. `folded` passes the five events of
 * an instance in one call, after the caller has combined them.
 */
export type Mode = 'each' | 'folded';

/** Facts about a system that readers need to interpret its figures. */
export interface Facts {
  /** When events are synced to disk, and which acknowledged events a failure can lose. */
  readonly disk: string;
  readonly duplicates: string;
  /** The number of events that the system processes concurrently, and which events it processes sequentially. */
  readonly interleaving: string;
  /** Other features, limits, and the processes that count as `app`. */
  readonly otherwise: string;
}

/** A measured system. */
export interface Side {
  readonly name: string;
  readonly facts: Facts;
  /** Returns the reason why the system cannot run on this machine, or undefined if it can. */
  missing(): Promise<string | undefined>;
  /** Returns true if the system supports a workload. If not, the facts explain why. */
  does(order: Work['order'], mode: Mode): boolean;
  /** True if the system accepts single events from other processes, so its latency can be measured. */
  readonly paced: boolean;
  /** The maximum number of events per instance, for systems where each event costs more than the previous one. */
  readonly maximumEventsPerInstance?: number;
  /** Starts the system with its data in the folder. */
  start(folder: string): Promise<Running>;
}

/** The role of a process. `app` is the part for which users run servers or pay for Lambda functions. */
export type Role = 'app' | 'event source' | 'endpoints' | 'server' | 'client' | 'other';

/** A running system. Disposing the system ends all of its processes. */
export interface Running extends AsyncDisposable {
  /** Returns the roles of the system's current processes, by process id. */
  processes(): ReadonlyMap<number, Role>;
  /**
   * Sends all events of a workload to the system. Resolves when the system has accepted the events, possibly before it
   * applies them.
   */
  put(work: Work, mode: Mode): Promise<void>;
  /** Sends events of distinct instances concurrently. Required if `paced` is true. */
  send?(events: readonly WorkEvent[]): Promise<void>;
  /** Returns an instance's state as users read it, or undefined if the instance does not exist yet. */
  read(transaction: string): Promise<Account | undefined>;
}
