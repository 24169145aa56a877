import type { Commit } from '../core/commit.ts';
import type { DeadLetter } from '../core/dead-letter.ts';
import type { InstanceKey } from '../core/event.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { StatusRow } from '../core/status-row.ts';
import type { ModelAnswer, TransitionRequest } from './protocol.ts';

/** One item's share of a request for many: its value, or what was thrown for it alone. */
export type Settled<Value> = { readonly value: Value } | { readonly error: unknown };

/** Where commits and status rows are kept. Calls take many instances, with an answer for each. */
export interface InstanceStore {
  /** The newest commit of each, strongly consistent; undefined where there is none. */
  newest(keys: readonly InstanceKey[]): Promise<Settled<Commit | undefined>[]>;
  /** Writes each commit if its version is still free; `conflict` when another was first. */
  commit(commits: readonly Commit[]): Promise<Settled<'committed' | 'conflict'>[]>;
  /** Brings each instance's status row up to this commit, unless it is further already. */
  writeStatus(commits: readonly Commit[]): Promise<Settled<void>[]>;
  /** The commits of an instance before a version, newest first. */
  before(key: InstanceKey, version: number): AsyncIterable<Commit>;
  /** Some commits from a version on, oldest first, and whether there are more behind them. */
  from(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ readonly commits: readonly Commit[]; readonly more: boolean }>;
}

/** Which instances a list is about. */
export interface InstanceQuery {
  readonly model?: string;
  readonly status?: string;
  /** What their transaction ids start with. */
  readonly prefix?: string;
}

/** Which part of a list: so many, from behind a place that an earlier page gave. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** A part of a list, and where to go on; no cursor when there is nothing more. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** Lists of instances, newest change first. They may lag a moment behind the commits. */
export interface InstanceLists {
  list(query: InstanceQuery, page: PageRequest): Promise<Page<StatusRow>>;
}

/** Which Lambda runs which model. */
export interface ModelRegistry {
  get(id: string): Promise<RegistryEntry | undefined>;
  /** Every model, by id. */
  list(): Promise<RegistryEntry[]>;
}

/** Where records go that are no events. Putting the same one again changes nothing. */
export interface DeadLetterStore {
  put(letters: readonly DeadLetter[]): Promise<Settled<void>[]>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<DeadLetter>>;
  /** Takes a letter out; that it is gone already is fine. */
  remove(id: string): Promise<void>;
}

/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

/** The stream that everything comes in by. */
export interface EventStream {
  /**
   * Puts records so that those with the same partition key stand in the order given.
   *
   * @throws Error when one could not be put, even when tried again; some may have been.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}

/** What running a model's Lambda came to. */
export type Invocation =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer }
  /** The function ran and failed, is gone, or was sent too much: fewer events may go better. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It could not be run now: throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Runs a model's Lambda. */
export interface ModelInvoker {
  transition(functionArn: string, request: TransitionRequest): Promise<Invocation>;
}
