import type { Deadline } from '../common/deadline.ts';
import type { Notice } from '../core/effects/notice.ts';
import type { Notification } from '../core/effects/notification-record.ts';
import type { Timer } from '../core/effects/timer.ts';
import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { Commit, CommitSummary, Head, StreamPosition } from '../core/history/commit.ts';
import type { ModelVersion } from '../core/model/model-version.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { DataKey } from '../core/personal-data/sealed.ts';
import type { CustomerLink } from '../core/status/customer-link.ts';
import type { MinuteCount } from '../core/status/event-rate.ts';
import type { Pace } from '../core/status/pace.ts';
import type { StatusRow } from '../core/status/status-row.ts';
import type {
  AuditAnswer,
  AuditRequest,
  ForgetAnswer,
  ForgetRequest,
  ModelAnswer,
  PositionedEvent,
  RebuildRequest,
  TransitionRequest,
} from '../model-runtime/protocol.ts';

/** One item's share of a request for many: its value, or what was thrown for it alone. */
export type Settled<Value> = { readonly value: Value } | { readonly error: unknown };

/** How far an instance is. */
export interface Newest {
  /** Its newest commit; undefined when it has none. */
  readonly commit: Commit | undefined;
  /** True when events of it are parked: whatever comes now waits behind them. */
  readonly hasParked: boolean;
}

/** How far an instance is as far as can be told quickly. */
export interface Recent {
  /** As some commit left it: most often the newest. */
  readonly head: Head | undefined;
  /** True when events of it may be parked. When it is false, none was before the call. */
  readonly mayHaveParked: boolean;
}

/** Where commits and status rows are kept. Calls take many instances, with an answer for each. */
export interface InstanceStore {
  /**
   * How far each is, in fewer requests than `newest` takes. Where a head is an older one, the
   * commit that is made from it ends in a conflict; nothing else may be concluded from it.
   */
  recent(keys: readonly InstanceKey[]): Promise<Settled<Recent>[]>;
  /** How far each is, strongly consistent. */
  newest(keys: readonly InstanceKey[]): Promise<Settled<Newest>[]>;
  /** Writes each commit if its version is still free; `conflict` when another was first. */
  commit(commits: readonly Commit[]): Promise<Settled<'committed' | 'conflict'>[]>;
  /** Brings each instance's status row up to this commit, unless it is further already. */
  writeStatus(heads: readonly Head[]): Promise<Settled<void>[]>;
  /**
   * The last commit of an instance that was made at or before a moment; undefined where there is none.
   *
   * @param at RFC 3339 in UTC, to the millisecond.
   */
  asOf(key: InstanceKey, at: string): Promise<Commit | undefined>;
  /** The commits of an instance before a version, newest first. */
  before(key: InstanceKey, version: number): AsyncIterable<Commit>;
  /**
   * The summaries of an instance's commits before a version, newest first. Reads many commits with each
   * request and none of the data that is stored apart from them.
   */
  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary>;
  /** Some commits from a version on, oldest first, and whether there are more behind them. */
  from(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ readonly commits: readonly Commit[]; readonly more: boolean }>;
}

/** Part of a history that was rewritten. */
export interface RewrittenPage {
  /** How many of its commits were written again. */
  readonly rewritten: number;
  /** The version to continue at; undefined at the end of the history. */
  readonly next?: number;
}

/** Takes personal data out of commits that are stored already. */
export interface HistoryRewriter {
  /**
   * Replaces the data, states and effects of some commits, oldest first. Everything else about a commit
   * stays: its version, its events' ids and order, and what recognizes duplicates. What the commits held
   * before is deleted. Doing it again, or at the same time, changes nothing.
   *
   * @param change is given a commit as it is stored; undefined: it stays as it is.
   */
  rewrite(
    instance: InstanceKey,
    from: number,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<RewrittenPage>;
}

/** An instance of which timers run, as its status row has it; that may lag behind the commits. */
export interface Waiting {
  readonly instance: InstanceKey;
  /** The version of the row. */
  readonly version: number;
  /** True when events of it are parked: its timers fire after them. */
  readonly hasParked: boolean;
  /** By when they are due. */
  readonly timers: readonly Timer[];
}

/** Which timers are due. It follows from the status rows, and lags a moment behind them. */
export interface DueIndex {
  /** Its parts: each is walked by itself. */
  readonly shards: readonly string[];
  /**
   * The instances of a part of which a timer is due, in pages, the one due first at the front.
   *
   * @param by RFC 3339 in UTC, to the millisecond.
   */
  due(shard: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /** How each is now; undefined where there is no status row. */
  waiting(instances: readonly InstanceKey[]): Promise<Settled<Waiting | undefined>[]>;
  /** Has each not be due before a moment, unless its status row was written anew. */
  postpone(postponed: readonly Postponed[]): Promise<Settled<void>[]>;
}

/** An instance that is to be left alone for a while. */
export interface Postponed extends Pick<Waiting, 'instance' | 'version'> {
  /** RFC 3339 in UTC, to the millisecond. */
  readonly until: string;
}

/** An event that waits with its instance until it is applied again. */
export interface ParkedEvent extends PositionedEvent {
  readonly reason: string;
  /** True when the model failed on it, false when it only waits behind one. */
  readonly fault: boolean;
  /** When its record came, RFC 3339 in UTC. */
  readonly at: string;
  /** The dead letter that shows it. */
  readonly letterId: string;
  /** True if the letter's record is larger than an event may be, as a sealed one can be. */
  readonly hasLargeLetter?: true;
}

/** What the status row says of a queue of parked events. */
export interface QueueSummary {
  readonly count: number;
  /** When the oldest event came, RFC 3339 in UTC; undefined when the queue is empty. */
  readonly since: string | undefined;
}

/** A change of an instance's queue, from `begin` to `finish` or `recount`. */
export interface QueueChange {
  readonly instance: InstanceKey;
  /** The announcement on the status row. */
  readonly name: string;
  /** The version of the queue that this change made: any other change makes a higher one. */
  readonly version: number;
  /**
   * The queue before this change. Undefined if another change is under way or was interrupted: then
   * nothing is known until the queue is counted.
   */
  readonly before: QueueSummary | undefined;
}

/**
 * Where parked events are kept: with their instance, in the order in which they came.
 *
 * Every change of a queue is announced on the instance's status row before it is made, and stays
 * announced until the row has the new count. A change that is interrupted therefore leaves a trace,
 * and the change that comes next counts the queue.
 */
export interface ParkingStore {
  /**
   * Announces a change of an instance's queue. Until it is finished, events of the instance may be
   * parked.
   *
   * @param cause the position of a record that leads to this change: the same when it is tried again.
   */
  begin(instance: InstanceKey, cause: StreamPosition): Promise<QueueChange>;
  /** Parks events of one instance. One that is there already stays unchanged. */
  park(parked: readonly ParkedEvent[]): Promise<Settled<'parked' | 'already parked'>[]>;
  /** Says anew why an event is parked, unless it was taken out meanwhile. */
  replace(parked: ParkedEvent): Promise<void>;
  /** The events that are parked at these positions, in no set order. */
  find(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<ParkedEvent[]>;
  /** The first of an instance's parked events: as many as `limit`, or fewer if they are large. */
  oldest(instance: InstanceKey, limit: number): Promise<readonly ParkedEvent[]>;
  /** How many events of an instance are parked. */
  count(instance: InstanceKey): Promise<number>;
  /** Takes events out; that one is gone already is fine. */
  remove(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<void>;
  /**
   * Ends a change whose result is known, by writing it on the status row.
   *
   * @returns `'interfered'` if another change began since: then nothing is written, and the queue
   *   has to be counted.
   */
  finish(change: QueueChange, after: QueueSummary): Promise<'finished' | 'interfered'>;
  /**
   * Counts an instance's queue and writes the result on the status row.
   *
   * @param change the change that this ends, together with interrupted attempts at it and with
   *   changes that are too old to be under way.
   */
  recount(instance: InstanceKey, change?: QueueChange): Promise<void>;
}

/** Which instances a list is about. */
export interface InstanceQuery {
  readonly model?: string;
  readonly status?: string;
  /** What their transaction ids start with. */
  readonly prefix?: string;
  /** Only those that are late at this moment, RFC 3339 in UTC. */
  readonly lateBy?: string;
  /** What business calls them by, such as `customer:42`. */
  readonly key?: string;
  /** Only those with parked events. */
  readonly parked?: true;
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

/** A count that ends somewhere: then there are more. */
export interface Tally {
  readonly count: number;
  readonly more: boolean;
}

/** The same for each model that has any; where there are more, of any of them. */
export interface TallyByModel {
  readonly counts: ReadonlyMap<string, number>;
  readonly more: boolean;
}

/** Lists of instances, newest change first. They may lag a moment behind the commits. */
export interface InstanceLists {
  list(query: InstanceQuery, page: PageRequest): Promise<Page<StatusRow>>;
  /**
   * The instances of a model in an order that no change of them moves: whoever pages through it sees each
   * that was there at first, once.
   */
  inFixedOrder(model: string, page: PageRequest): Promise<Page<StatusRow>>;
  /** The same, in fewer requests: only which instances they are. */
  keysInFixedOrder(model: string, page: PageRequest): Promise<Page<InstanceKey>>;
  /** The cursor of what comes behind an instance in that order, for a page of which only the first ones are shown. */
  behind(instance: InstanceKey): string;
  /** How many instances of a model have a status. */
  count(model: string, status: string): Promise<Tally>;
  /** How many instances of each model are late, or have parked events; of others there are none. */
  countByModel(query: Pick<InstanceQuery, 'lateBy' | 'parked'>): Promise<TallyByModel>;
}

/** What personal data of instances is sealed with: a key for each, which can be destroyed. */
export interface DataKeys {
  /** The key of an instance; a new one where it has none yet. */
  toSeal(instance: InstanceKey): Promise<DataKey>;
  /** The key of an instance; undefined where it never had one. */
  toOpen(instance: InstanceKey): Promise<DataKey | undefined>;
  /** Destroys the key of an instance, for ever; that it is destroyed already is fine. */
  forget(instance: InstanceKey): Promise<void>;
}

/**
 * The links to customers' status pages that have been made and not revoked. Reads are strongly
 * consistent, so that revoking a link takes effect at once.
 */
export interface CustomerLinks {
  add(instance: InstanceKey, link: CustomerLink): Promise<void>;
  /** Whether a link has been made and not revoked. When it expires is for its token to say. */
  has(instance: InstanceKey, id: string): Promise<boolean>;
  /** The links of an instance that have not expired, newest first. */
  list(instance: InstanceKey, page: PageRequest): Promise<Page<CustomerLink>>;
  /** Revokes a link; `missing` if there is none, or no longer. */
  revoke(instance: InstanceKey, id: string): Promise<'revoked' | 'missing'>;
  /**
   * Revokes every link of an instance that there is when it is called.
   *
   * @returns how many had not expired.
   */
  revokeAll(instance: InstanceKey): Promise<number>;
}

/** What there was to see of models: for charts and expected times, about right and a little late. */
export interface ObservationStore {
  /** Counts events of a model, by the minutes in which they were applied or rejected. */
  addEvents(model: string, counts: readonly MinuteCount[]): Promise<void>;
  /** Adds how long steps took; `conflict` when another writer was first: nothing is added then. */
  addPace(model: string, pace: Pace): Promise<'added' | 'conflict'>;
  /**
   * The counts of the last hour, and perhaps of more, of each model.
   *
   * @param now milliseconds since 1970.
   */
  events(
    models: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly MinuteCount[]>>;
  /** How long the steps of a model take, as far as is known. */
  pace(model: string): Promise<Pace>;
}

/** Which Lambda runs which model. */
export interface ModelRegistry {
  /** The entry of a model as of about a second ago, or a newer one. */
  get(id: string): Promise<RegistryEntry | undefined>;
  /** The entry of a model as it is now, at twice the cost of `get`. */
  getConsistent(id: string): Promise<RegistryEntry | undefined>;
  /** Every model, by id. */
  list(): Promise<RegistryEntry[]>;
}

/** Which versions of models' code there are, and which of them runs. */
export interface ModelVersions {
  /** Those of a model that can be gone back to, newest first. */
  versions(id: string): Promise<readonly ModelVersion[]>;
  /** Replaces the entry of a model, unless it is another one by now. */
  replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'>;
}

/** What asking a model's function what it is came to. */
export type Described =
  /** Its answer, unchecked. */
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** It is gone, or failed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It could not be asked now. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Asks a model's function what it is. */
export interface ModelDescriber {
  describe(functionArn: string): Promise<Described>;
}

/**
 * Where records go that are no events. Putting the same one again changes nothing. A letter expires
 * after a while, but not as long as its event is parked.
 */
export interface DeadLetterStore {
  /** Puts letters; one of an event that is parked stays, whatever else is said of its record. */
  put(letters: readonly DeadLetter[]): Promise<Settled<void>[]>;
  /** Says anew why a letter is there, unless it was taken out meanwhile. */
  replace(letter: DeadLetter): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<DeadLetter>>;
  /** Takes a letter out; that it is gone already is fine. */
  remove(id: string): Promise<void>;
  /** Takes out the letters of parked events; that one is gone already is fine. */
  removeParked(parked: readonly Pick<ParkedEvent, 'letterId' | 'hasLargeLetter'>[]): Promise<void>;
}

/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /**
   * The instance that the record comes from. Records of one partition key keep their order only among
   * those of the same sender. Default: they keep it among all that name no sender.
   */
  readonly sender?: string;
  /** Consecutive records of one sender and partition key that share it may change places. Default: none may. */
  readonly moment?: string;
}

/** The stream that everything comes in by. */
export interface EventStream {
  /**
   * Puts records so that those of one sender and partition key stand in the order given, except for those
   * of one moment.
   *
   * @throws RecordsRefused when the stream refused some of them, even when they were put again.
   * @throws Error when it is not known which of them were put.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}

/** Takes notices on their way to the people and systems that want to hear what happens to instances. */
export interface Notifier {
  /**
   * Takes notices, each instance's in the order given.
   *
   * @throws RecordsRefused when some of them were refused, even when they were put again.
   * @throws Error when it is not known which of them were taken.
   */
  publish(notices: readonly Notice[]): Promise<void>;
}

/** The bus that notifications are published on. */
export interface NotificationBus {
  /**
   * Puts notifications on the bus, each instance's in the order given. One that fails with an error that
   * `isPermanent` is left out; after one that fails with another error, its instance's later ones fail too.
   *
   * @param deadline what is not put by then has failed.
   * @returns an answer for each, in the order given.
   */
  publish(
    notifications: readonly InstanceNotification[],
    deadline: Deadline,
  ): Promise<Settled<void>[]>;
}

/** A notification, and the instance that it is about. */
export interface InstanceNotification {
  readonly instance: InstanceKey;
  readonly notification: Notification;
}

/** What running a model's Lambda came to. */
export type Invocation =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer }
  /** The function ran and failed, or is gone: fewer events may go better. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Lambda does not take a request of this size. The function did not run. */
  | { readonly kind: 'too-large'; readonly reason: string }
  /** It could not be run now: throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Runs a model's Lambda. */
export interface ModelInvoker {
  transition(functionArn: string, request: TransitionRequest | RebuildRequest): Promise<Invocation>;
}

/** A status row as it is stored, whatever it says. */
export interface StoredRow {
  /** Undefined where it has none. */
  readonly version: number | undefined;
  /** What it says; undefined where that is nonsense, or lists would not find it by that. */
  readonly row: StatusRow | undefined;
}

/** Status rows, to be held against the commits and written anew. */
export interface StatusRows {
  /** The row of an instance, strongly consistent; undefined where there is none. */
  read(instance: InstanceKey): Promise<StoredRow | undefined>;
  /**
   * Writes the row of an instance, and what finds it by its keys, from its newest commit, whatever the
   * row says. How many events are parked stays.
   *
   * @param seen the row that is written over: `conflict` when somebody wrote it since it was read.
   */
  rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'>;
}

/** Finds instances by their commits and parked events alone, whatever their rows say. */
export interface InstanceWalk {
  /**
   * Some instances of a model, in an order that no change of them moves; one is perhaps there twice, and
   * a page may be empty though there are more.
   */
  stored(model: string, page: PageRequest): Promise<Page<InstanceKey>>;
  /** The cursor of what comes behind an instance, for a page of which only the first ones were done. */
  behind(instance: InstanceKey): string;
}

/** What became of asking a model's Lambda to audit; see `Invocation`. */
export type AuditInvocation =
  | { readonly kind: 'answered'; readonly answer: AuditAnswer }
  | Exclude<Invocation, { kind: 'answered' | 'too-large' }>;

/** Has a model's Lambda hold instances against their histories. */
export interface ModelAuditor {
  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation>;
}

/** The result of asking a model's Lambda to forget; see `Invocation`. */
export type ForgetInvocation =
  | { readonly kind: 'answered'; readonly answer: ForgetAnswer }
  | Exclude<Invocation, { kind: 'answered' }>;

/** Has a model's Lambda take forgotten personal data out of a history. */
export interface HistoryForgetter {
  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation>;
}
