import type { Bounds } from './audit/isolation.ts';

/** How long a model fails on an event: until the model is fixed, forever, or for the given number of attempts. */
export type Until = 'mended' | 'always' | number;

export interface SentEvent {
  readonly source: string;
  readonly id: string;
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
  /** The time of the event. Default: when the stream received the record. */
  readonly time?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The instance that receives the reply, as `model/transaction`. */
  readonly replyto?: string;
}

/** The sender of a record: a system, an instance's function, the clock, or a dispatcher. */
export type Putter = 'producer' | 'instance' | 'clock' | 'dispatcher';

export interface PutRecord {
  readonly by: Putter;
  readonly shard: string;
  readonly sequence: string;
  readonly partitionKey: string;
  readonly arrivedAt: number;
  readonly bytes: Uint8Array;
  /** The event in the record, or undefined if the record is not a valid event. */
  readonly event?: SentEvent;
  /** Set if the record requests a redrive or a rebuild. */
  readonly isRequest?: true;
}

/** An entry that the bus accepted. */
export interface PublishedNotification {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The erasure of an instance's personal data. */
export interface Erasure {
  /** When the data key was destroyed, in milliseconds since 1970. */
  readonly destroyedAt: number;
  /** The versions of the commits that a successful request searched for plain text. */
  readonly searched: Set<number>;
}

/** The log of a run for the audit: the records that were put, the failures, and the simulated actions of operators. */
export interface RunLog {
  /** The records, in the order in which they were put. */
  readonly puts: PutRecord[];
  /** The records that models put on the notification stream, in order. */
  readonly streamed: PublishedNotification[];
  /** The published notifications, in order. */
  readonly notifications: PublishedNotification[];
  /** The records that other producers put on the notification stream. */
  readonly foreign: string[];
  /** The bytes of the publisher's dead letters at the time of the audit. */
  setAside: readonly Uint8Array[];
  /** The registration times of the registered models, in milliseconds since 1970. */
  readonly registered: Map<string, number>;
  /** The ids of dead letters whose bytes were put on the stream again. */
  readonly putAgain: Set<string>;
  /** The number of failures and crashes of the model on each event, by identity. */
  readonly failures: Map<string, number>;
  /** Whether functions have timeouts, and requests can take effect late. */
  readonly timed: boolean;
  /**
   * Whether a dispatcher continued after its caller had timed out. Another dispatcher then does the same work
   * concurrently, and either of them can complete a commit's tail.
   */
  overlapped: boolean;
  /**
   * The ids of dead letters that a late request wrote after its process had crashed or abandoned the request.
   */
  readonly strays: Set<string>;
  /** The ids of dead letters of parked events that the operator deleted so that the instances skip the events. */
  readonly deleted: Set<string>;
  /** The names of functions that timed out although no code blocked them. */
  readonly timeouts: string[];
  /** The neighbors of an instance that causes problems, with their maximum delays. */
  readonly isolation:
    | { readonly neighbors: readonly string[]; readonly bounds: Bounds }
    | undefined;
  /** Whether the models have personal data, which is sealed. */
  readonly sealed: boolean;
  /** The data keys that KMS generated, by the keys of their instances. */
  readonly dataKeys: Map<string, readonly Uint8Array[]>;
  /** The erasures of personal data, by the keys of their instances. */
  readonly erasures: Map<string, Erasure>;
  /**
   * When a deployment marked the personal data of the models, in milliseconds since 1970: from then on, it is sealed.
   * 0 if the first deployed version already marked it. Undefined before the deployment.
   */
  markedAt: number | undefined;
  /** Whether partition keys are transaction ids so that the events of an instance have an order. */
  readonly keyed: boolean;
  /** The numbers of partitions that the keys of an index may be distributed over. */
  readonly partitionCounts: readonly number[];
  /** Whether the models were fixed and all parked events were redriven afterward. */
  redriven: boolean;
  /** The time of the audit in milliseconds since 1970. */
  auditedAt: number;
}

/** The permanent identity of an event. */
export const nameOf = ({ source, id }: { readonly source: string; readonly id: string }) =>
  JSON.stringify([source, id]);

/**
 * True if the effects of an instance's commits are in order, because only one function at a time processes its events.
 */
export const isOrdered = ({ keyed, timed, overlapped }: RunLog) => keyed && !(timed && overlapped);
