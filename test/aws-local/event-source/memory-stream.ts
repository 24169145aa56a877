import type {
  Shard,
  ShardCursor,
  ShardPage,
  ShardPosition,
  ShardReader,
  ShardRecord,
} from '../../../src/aws-local/event-source/shards.ts';
import type { Clock } from '../../../src/common/clock.ts';

interface ShardState {
  readonly shard: Shard;
  readonly records: ShardRecord[];
  closed: boolean;
}

/** An in-memory stream with splits, merges, and reads that fail on demand. */
export class MemoryStream implements ShardReader {
  readonly opened: { readonly shardId: string; readonly position: ShardPosition }[] = [];
  readonly #clock: Clock;
  readonly #shards = new Map<string, ShardState>();
  /**
   * The latest sequence number. The initial value is so close to 100 that later numbers soon have one digit more, so
   * that tests fail if code compares numbers as text.
   */
  #lastSequenceNumber = 97n;
  failuresToCome = 0;
  recordsRead = 0;
  reads = 0;
  pageSize = Infinity;

  constructor(clock: Clock, shards = 1) {
    this.#clock = clock;
    for (let n = 0; n < shards; n += 1) this.addShard({});
  }

  /** Puts one record per key. The data of a record is its sequence number. Returns the sequence numbers. */
  put(shardId: string, ...keys: readonly string[]): readonly string[] {
    return keys.map((key) => this.putData(shardId, key, undefined));
  }

  putData(shardId: string, partitionKey: string, data: Uint8Array | undefined): string {
    this.#lastSequenceNumber += 1n;
    const sequenceNumber = String(this.#lastSequenceNumber);
    const shard = this.#shard(shardId);
    if (shard.closed) throw new Error(`${shardId} is closed`);
    shard.records.push({
      sequenceNumber,
      partitionKey,
      data: data ?? Buffer.from(sequenceNumber),
      arrivedAt: this.#clock.now(),
    });
    return sequenceNumber;
  }

  split(shardId: string): readonly [string, string] {
    this.#shard(shardId).closed = true;
    return [this.addShard({ parentId: shardId }), this.addShard({ parentId: shardId })];
  }

  merge(shardId: string, adjacent: string): string {
    this.#shard(shardId).closed = true;
    this.#shard(adjacent).closed = true;
    return this.addShard({ parentId: shardId, adjacentParentId: adjacent });
  }

  /** Removes a shard, as Kinesis does after the retention period. */
  forget(shardId: string): void {
    this.#shards.delete(shardId);
  }

  async listShards(): Promise<readonly Shard[]> {
    this.#failIfTold();
    return [...this.#shards.values()].map(({ shard }) => shard);
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    this.opened.push({ shardId, position });
    const { records } = this.#shard(shardId);
    let next = firstIndex(records, position);
    return {
      read: async (limit): Promise<ShardPage> => {
        this.#failIfTold();
        this.reads += 1;
        const page = records.slice(next, next + Math.min(limit, this.pageSize));
        next += page.length;
        this.recordsRead += page.length;
        const isAtEnd = next === records.length;
        return {
          records: page,
          closed: isAtEnd && this.#shard(shardId).closed,
          isAtTip: isAtEnd,
        };
      },
    };
  }

  #failIfTold(): void {
    if (this.failuresToCome === 0) return;
    this.failuresToCome -= 1;
    throw new Error('ProvisionedThroughputExceeded');
  }

  addShard(parents: Omit<Shard, 'id'>): string {
    const id = `shardId-${String(this.#shards.size).padStart(12, '0')}`;
    this.#shards.set(id, { shard: { id, ...parents }, records: [], closed: false });
    return id;
  }

  #shard(shardId: string): ShardState {
    const shard = this.#shards.get(shardId);
    if (shard === undefined) throw new Error(`the shard ${shardId} does not exist`);
    return shard;
  }
}

function firstIndex(records: readonly ShardRecord[], position: ShardPosition): number {
  const find = (isFirst: (record: ShardRecord) => boolean): number => {
    const index = records.findIndex(isFirst);
    return index === -1 ? records.length : index;
  };
  if (position.at === 'TRIM_HORIZON') return 0;
  if (position.at === 'LATEST') return records.length;
  if (position.at === 'AT_TIMESTAMP') {
    return find((record) => record.arrivedAt >= position.timestamp);
  }
  const after = BigInt(position.sequenceNumber);
  return find((record) => BigInt(record.sequenceNumber) > after);
}
