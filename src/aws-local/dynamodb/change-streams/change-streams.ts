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

/** The lifetimes of shards and records in change streams, in milliseconds. */
export interface StreamTimes {
  /** How long a shard stays open before a child shard replaces it. */
  readonly shardLifetimeMs: number;
  readonly retentionMs: number;
}

/** The change streams of a store's tables. */
export class ChangeStreams {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #times: StreamTimes;
  /** The streams, including disabled streams, as writers see them, by ARN. */
  readonly #streams = new Map<string, StoredStream>();
  /**
   * The streams as readers see them: as they were last stored. With a newer version, a reader could reach the end of a
   * shard before the shard's last records are stored.
   */
  readonly #written = new Map<string, StoredStream>();
  /** The ARNs of enabled streams, by table name. */
  readonly #enabled = new Map<string, string>();
  readonly #expiring = new WeakSet<Item>();
  #latest = 0n;

  /** Records all changes from now on. Call `load` before the first request. */
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
    // If the process was killed while it deleted a table whose stream was already disabled, the table still exists.
    // Start a new stream for the table.
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

  /** The stored streams, oldest first. A disabled stream is included until its last shard expires. */
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

  /** The highest sequence number in all streams. */
  get latestSequenceNumber(): string {
    return formatSequenceNumber(this.#latest);
  }

  /** The start of the retention period, in milliseconds since 1970. Older records are deleted. */
  get keptSince(): number {
    return this.#clock.now() - this.#times.retentionMs;
  }

  /** Marks an item as expired so that the record of its deletion identifies DynamoDB as the origin. */
  markExpiring(item: Item): void {
    this.#expiring.add(item);
  }

  /** Reads up to `limit` records from a shard, starting at a sequence number. */
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

  /** Replaces shards at the end of their lifetime, and deletes records and shards after the retention period. */
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
    // The stream may have changed during the deletion.
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

  /** Enables or disables a stream when the description of its table is written. */
  #followTables(): void {
    const { tableDb } = this.#store;
    const { put } = tableDb;
    tableDb.put = (name, table, done) => {
      const stream = this.#streamAfter(table);
      if (stream === undefined) return put(name, table, done);
      const description = { type: 'put' as const, key: `table~${name}`, value: table };
      // The batch bypasses the cache of tables (see `cacheTables`), so `put` writes the description again to remove it
      // from the cache.
      this.#write(stream, [description], (error) => (error ? done(error) : put(name, table, done)));
    };
  }

  /**
   * Enables or disables the stream of a table according to the table's description, and adds the ARN and the label of a
   * new stream to the description. Returns the new version of the stream, or undefined if the stream does not change.
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

  /**
   * Stores a stream in one batch with other operations. Later changes use the new version immediately, whereas readers
   * see it only after it is stored.
   */
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

/** Returns true if a sequence number belongs to a record that is past the retention period. */
export function isTrimmed(sequenceNumber: string, keptSince: number): boolean {
  return timeOf(sequenceNumber) < keptSince;
}
