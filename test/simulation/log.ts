import type { Bounds } from './audit/isolation.ts';

/** How long a model fails on an event: until it is mended, for ever, or for so many tries. */
export type Until = 'mended' | 'always' | number;

/** What was sent as one event. */
export interface SentEvent {
  readonly source: string;
  readonly id: string;
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
  /** Left out: the stream's own time stands for it. */
  readonly time?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** `model/transaction` */
  readonly replyto?: string;
}

/** Who put a record on the stream: a system, an instance's function, the clock, or a dispatcher. */
export type Putter = 'producer' | 'instance' | 'clock' | 'dispatcher';

/** A record that was put on the stream. */
export interface PutRecord {
  readonly by: Putter;
  readonly shard: string;
  readonly sequence: string;
  readonly partitionKey: string;
  readonly arrivedAt: number;
  readonly bytes: Uint8Array;
  /** The event in it; undefined where it is none. */
  readonly event?: SentEvent;
  /** True for what asks for a redrive. */
  readonly redrive?: true;
}

/** An entry that the bus took. */
export interface PublishedNotice {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What is known of a run beside its tables: what was put, and what was done to the system. */
export interface RunLog {
  /** In the order in which they were put. */
  readonly puts: PutRecord[];
  /** What models put on the notification stream, in order. */
  readonly streamed: PublishedNotice[];
  /** What people were told, in order. */
  readonly notifications: PublishedNotice[];
  /** What somebody else put on the notification stream. */
  readonly foreign: string[];
  /** The bytes of the publisher's dead letters, when the auditor looks. */
  setAside: readonly Uint8Array[];
  /** When each model was registered, milliseconds since 1970; other models never were. */
  readonly registered: Map<string, number>;
  /** Dead letters whose bytes were put again, by the id of the letter. */
  readonly putAgain: Set<string>;
  /** Events on which the model failed or died, by name, and how often. */
  readonly failures: Map<string, number>;
  /** Functions have timeouts, and requests may take effect late. */
  readonly timed: boolean;
  /**
   * True once a dispatcher ran on that nobody waited for any more: another one does the same at the same time, and
   * either may be the one that completes a commit's tail.
   */
  overlapped: boolean;
  /**
   * Dead letters, by id, of which something was written by a request that took effect late: its process had died,
   * or had given up on it.
   */
  readonly strays: Set<string>;
  /** Functions that ran out of time although no code blocked them, by name. */
  readonly timeouts: string[];
  /** Instances that one other instance must not hold up for long. */
  readonly isolation:
    | { readonly neighbors: readonly string[]; readonly bounds: Bounds }
    | undefined;
  /** True: events are parked with their data sealed. */
  readonly sealed: boolean;
  /** True: partition keys are transaction ids, so that instances have an order. */
  readonly keyed: boolean;
  /** True when the models were mended and everything that was parked was redriven since. */
  redriven: boolean;
  /** When the auditor looks, milliseconds since 1970. */
  auditedAt: number;
}

/** What names an event for ever. */
export const nameOf = ({ source, id }: { readonly source: string; readonly id: string }) =>
  JSON.stringify([source, id]);

/** Whether what follows from an instance's commits comes in their order: one function at a time works for it. */
export const isOrdered = ({ keyed, timed, overlapped }: RunLog) => keyed && !(timed && overlapped);
