import type { Bounds } from './audit/isolation.ts';

/** The duration of a model's failure on an event: until it is fixed, forever, or for a number of attempts. */
export type Until = 'mended' | 'always' | number;

/** An event that was sent. */
export interface SentEvent {
  readonly source: string;
  readonly id: string;
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
  /** Default: the arrival time in the stream. */
  readonly time?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** `model/transaction` */
  readonly replyto?: string;
}

/** The sender of a record: a system, an instance's function, the clock, or a dispatcher. */
export type Putter = 'producer' | 'instance' | 'clock' | 'dispatcher';

/** A record that was put on the stream. */
export interface PutRecord {
  readonly by: Putter;
  readonly shard: string;
  readonly sequence: string;
  readonly partitionKey: string;
  readonly arrivedAt: number;
  readonly bytes: Uint8Array;
  /** The event in it; undefined if it is not a valid event. */
  readonly event?: SentEvent;
  /** True if it requests a redrive. */
  readonly redrive?: true;
}

/** An entry that the bus accepted. */
export interface PublishedNotice {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The facts of a run besides its tables: what was put, and what was done to the system. */
export interface RunLog {
  /** In the order in which they were put. */
  readonly puts: PutRecord[];
  /** The records that models put on the notification stream, in order. */
  readonly streamed: PublishedNotice[];
  /** The published notifications, in order. */
  readonly notifications: PublishedNotice[];
  /** The records that other producers put on the notification stream. */
  readonly foreign: string[];
  /** The bytes of the publisher's dead letters at the time of the audit. */
  setAside: readonly Uint8Array[];
  /** The registration times of the models in milliseconds since 1970; other models were never registered. */
  readonly registered: Map<string, number>;
  /** Dead letters whose bytes were put again, by the id of the letter. */
  readonly putAgain: Set<string>;
  /** The number of failures and crashes of the model on each event, by identity. */
  readonly failures: Map<string, number>;
  /** True if functions have timeouts, and requests may take effect late. */
  readonly timed: boolean;
  /**
   * True after an abandoned dispatcher continued. Another one does the same work concurrently, and
   * either may complete a commit's tail.
   */
  overlapped: boolean;
  /**
   * Dead letters, by id, that a late request wrote after its process had crashed
   * or abandoned it.
   */
  readonly strays: Set<string>;
  /** Functions that timed out although no code blocked them, by name. */
  readonly timeouts: string[];
  /** Instances that another instance must not delay for long. */
  readonly isolation:
    | { readonly neighbors: readonly string[]; readonly bounds: Bounds }
    | undefined;
  /** True if parked events are sealed. */
  readonly sealed: boolean;
  /** True if partition keys are transaction ids, so that the events of an instance have an order. */
  readonly keyed: boolean;
  /** True if the models were fixed and everything that was parked was redriven since. */
  redriven: boolean;
  /** The time of the audit, milliseconds since 1970. */
  auditedAt: number;
}

/** The permanent identity of an event. */
export const nameOf = ({ source, id }: { readonly source: string; readonly id: string }) =>
  JSON.stringify([source, id]);

/** True if the effects of an instance's commits are in order: one function at a time works for it. */
export const isOrdered = ({ keyed, timed, overlapped }: RunLog) => keyed && !(timed && overlapped);
