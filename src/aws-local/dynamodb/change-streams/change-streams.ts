import { promisify } from 'node:util';
import db, { type Item, type Operation, type Store, type Table } from 'dynalite/db/index.js';
import type { Clock } from '../../../common/clock.ts';
import { onItemChange } from '../item-changes.ts';
import { type ChangeRecord, changeRecord } from './change-record.ts';
import {
  firstSequenceNumber,
  formatSequenceNumber,
  nextSequenceNumber,
  timeOf,
} from './sequence-number.ts';
import {
  closeShards,
  newStream,
  rollOver,
  type StoredStream,
  shardOf,
  withoutExpiredShards,
} from './stored-stream.ts';
import { allStreams, recordKey, shardRange, streamKey } from './stream-keys.ts';

/** The times of change streams, in milliseconds. */
export interface StreamTimes {
  /** The time after which a shard is closed and replaced by a child shard. */
  readonly shardLifetimeMs: number;
  readonly retentionMs: number;
}

/** The change streams of a store's tables. */
export class ChangeStreams {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #times: StreamTimes;
  /** All streams by ARN, including disabled ones, as they are for the next change. */
  readonly #streams = new Map<string, StoredStream>();
  /**
   * The streams as readers see them, after they are written. Otherwise, a reader could reach the end of a shard before
   * its last records are written.
   */
  readonly #written = new Map<string, StoredStream>();
  /** The ARN of the enabled stream of each table. */
  readonly #enabled = new Map<string, string>();
  readonly #expiring = new WeakSet<Item>();
  #latest = 0n;

  /** Starts to record changes. `load` must be called before the first request. */
  constructor(store: Store, clock: Pick<Clock, 'now'>, times: StreamTimes) {
    this.#store = store;
    this.#clock = clock;
    this.#times = times;
    onItemChange(store, (table, before, after) => this.#record(table, before, after));
    this.#followTables();
  }

  /** Reads the streams from the database, which must be open. */
  async load(): Promise<void> {
    await this.#loadStreams();
    // A kill can interrupt the deletion of a table after its stream was disabled. The table is then kept.
    for await (const table of this.#store.tableDb.createValueStream())
      if (table.StreamSpecification?.StreamEnabled && !this.#enabled.has(table.TableName))
        await promisify(this.#store.tableDb.put)(table.TableName, table);
  }

  async #loadStreams(): Promise<void> {
    for await (const [, value] of this.#store.db.iterator(allStreams)) {
      const stream = value as StoredStream;
      this.#streams.set(stream.arn, stream);
      this.#written.set(stream.arn, stream);
      if (stream.status === 'ENABLED') this.#enabled.set(stream.tableName, stream.arn);
      for (const { id, start, end } of stream.shards) {
        const range = { ...shardRange(stream, id), reverse: true, limit: 1 };
        const [record] = await this.#store.db.iterator(range).all();
        const found = (record?.[1] as ChangeRecord | undefined)?.dynamodb.SequenceNumber;
        for (const each of [start, end, found])
          if (each !== undefined && BigInt(each) > this.#latest) this.#latest = BigInt(each);
      }
    }
  }

  /** All streams whose records are kept, in order of their creation. */
  get all(): readonly StoredStream[] {
    return [...this.#written.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  }

  /** The names of the tables that have an enabled stream. */
  get recordedTables(): readonly string[] {
    return [...this.#enabled.keys()];
  }

  find(arn: string): StoredStream | undefined {
    return this.#written.get(arn);
  }

  /** The latest sequence number of all streams. */
  get latestSequenceNumber(): string {
    return formatSequenceNumber(this.#latest);
  }

  /** The time since which records are kept, in milliseconds since 1970. */
  get keptSince(): number {
    return this.#clock.now() - this.#times.retentionMs;
  }

  /** Marks an item whose next change is its deletion because it has expired. */
  markExpiring(item: Item): void {
    this.#expiring.add(item);
  }

  /** Reads up to `limit` records of a shard, from a sequence number on. */
  async read(
    stream: StoredStream,
    shardId: string,
    from: string,
    limit: number,
  ): Promise<ChangeRecord[]> {
    const { lt } = shardRange(stream, shardId);
    const range = { gte: recordKey(stream, shardId, from), lt, limit };
    const found = await this.#store.db.iterator(range).all();
    return found.map(([, record]) => record as ChangeRecord);
  }

  /** Replaces shards that reach their lifetime, and deletes records and shards after the retention period. */
  async maintain(): Promise<void> {
    const { keptSince } = this;
    for (const stream of this.#streams.values()) {
      await this.#replaceShards(stream);
      await this.#trim(stream, keptSince);
    }
  }

  async #replaceShards(stream: StoredStream): Promise<void> {
    const now = this.#clock.now();
    if (stream.status === 'DISABLED') return;
    const latest = this.latestSequenceNumber;
    const next = this.#nextSequenceNumber(now);
    const replaced = rollOver(stream, { latest, next }, now, this.#times.shardLifetimeMs);
    if (replaced !== stream) await promisify(this.#write.bind(this))(replaced, []);
  }

  async #trim({ arn }: StoredStream, keptSince: number): Promise<void> {
    const first = formatSequenceNumber(firstSequenceNumber(keptSince));
    const before = this.#streams.get(arn)!;
    const { shards } = withoutExpiredShards(before, keptSince);
    for (const shard of before.shards) {
      const range = shardRange(before, shard.id);
      if (!shards.includes(shard)) await this.#store.db.clear(range);
      else if (shard.start < first)
        await this.#store.db.clear({ ...range, lt: recordKey(before, shard.id, first) });
    }
    // The stream can have changed in the meantime.
    const current = this.#streams.get(arn)!;
    const kept = withoutExpiredShards(current, keptSince);
    if (kept.shards.length > 0) {
      if (kept !== current) await promisify(this.#write.bind(this))(kept, []);
      return;
    }
    this.#streams.delete(arn);
    this.#written.delete(arn);
    await promisify(this.#store.db.batch)([{ type: 'del', key: streamKey(current) }]);
  }

  #record(
    table: Table,
    before: Item | null | undefined,
    after: Item | null | undefined,
  ): readonly Operation[] {
    const arn = this.#enabled.get(table.TableName);
    const item = after ?? before;
    if (arn === undefined || !item) return [];
    const stream = this.#streams.get(arn)!;
    const now = this.#clock.now();
    const sequenceNumber = this.#nextSequenceNumber(now);
    const isExpiry = !after && before ? this.#expiring.has(before) : false;
    const change = { before: before ?? undefined, after: after ?? undefined, isExpiry };
    const value = changeRecord(stream, change, sequenceNumber, now);
    if (value === undefined) return [];
    const shardId = shardOf(stream, db.createKey(item, table));
    return [{ type: 'put', key: recordKey(stream, shardId, sequenceNumber), value }];
  }

  /** Enables and disables streams together with the writes of their tables' descriptions. */
  #followTables(): void {
    const { tableDb } = this.#store;
    const { put } = tableDb;
    tableDb.put = (name, table, done) => {
      const stream = this.#streamAfter(table);
      if (stream === undefined) return put(name, table, done);
      const description = { type: 'put' as const, key: `table~${name}`, value: table };
      // The second write of the description removes it from the cache.
      this.#write(stream, [description], (error) => (error ? done(error) : put(name, table, done)));
    };
  }

  /**
   * Enables or disables the stream of a table according to the table's description, and adds the stream's ARN to the
   * description. Returns undefined if the stream does not change.
   */
  #streamAfter(table: Table): StoredStream | undefined {
    const { TableName: tableName, StreamSpecification: wanted, TableStatus } = table;
    if (wanted?.StreamEnabled !== true) delete table.StreamSpecification;
    const isWanted = wanted?.StreamEnabled === true && TableStatus !== 'DELETING';
    const arn = this.#enabled.get(tableName);
    if (isWanted === (arn !== undefined)) return undefined;
    const now = this.#clock.now();
    if (arn !== undefined) {
      this.#enabled.delete(tableName);
      const stream = this.#streams.get(arn)!;
      const closed = closeShards(stream, () => true, this.latestSequenceNumber, now);
      return { ...closed, status: 'DISABLED' };
    }
    const settings = { tableName, keySchema: table.KeySchema, viewType: wanted!.StreamViewType! };
    const stream = newStream(settings, this.#nextSequenceNumber(now), now);
    this.#enabled.set(tableName, stream.arn);
    table.LatestStreamArn = stream.arn;
    table.LatestStreamLabel = stream.label;
    return stream;
  }

  /** Writes a stream. Later changes use it immediately; readers see it when it is written. */
  #write(stream: StoredStream, others: Operation[], done: (error?: unknown) => void): void {
    this.#streams.set(stream.arn, stream);
    const operation = { type: 'put' as const, key: streamKey(stream), value: stream };
    this.#store.db.batch([operation, ...others], (error) => {
      if (!error) this.#written.set(stream.arn, stream);
      done(error);
    });
  }

  #nextSequenceNumber(now: number): string {
    this.#latest = nextSequenceNumber(this.#latest, now);
    return formatSequenceNumber(this.#latest);
  }
}

/** Returns true if a sequence number is older than the records that are kept. */
export function isTrimmed(sequenceNumber: string, keptSince: number): boolean {
  return timeOf(sequenceNumber) < keptSince;
}
