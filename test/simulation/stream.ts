import { hash } from 'node:crypto';
import type {
  Shard,
  ShardCursor,
  ShardPosition,
  ShardReader,
  ShardRecord,
} from '../../src/aws-local/event-source/shards.ts';
import type { Chance } from '../../src/common/chance.ts';
import type { Clock } from '../../src/common/clock.ts';

interface OpenShard {
  readonly shard: Shard;
  readonly records: ShardRecord[];
  /** The hash key range of the shard, from `from` (inclusive) to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** The sequence number of the shard's latest record. */
  last: bigint;
  closed: boolean;
}

const hashKeys = 2 ** 32;

/** An in-memory Kinesis stream. Sequence numbers of different shards are not comparable. */
export class SimulatedStream implements ShardReader {
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #minimumPageSize: number;
  readonly #shards = new Map<string, OpenShard>();

  /** @param minimumPageSize the minimum number of records in a page, unless the shard has fewer. */
  constructor(clock: Clock, chance: Chance, minimumPageSize = 1) {
    this.#minimumPageSize = minimumPageSize;
    this.#clock = clock;
    this.#chance = chance;
    this.#add({}, 0, hashKeys);
  }

  /** @param age the age that the record already has, in milliseconds, as if nothing had read the stream so far. */
  put(partitionKey: string, data: Uint8Array, age = 0): { shard: string; record: ShardRecord } {
    const key = hash('md5', partitionKey, 'buffer').readUInt32BE(0);
    const taker = this.#open.find(({ from, to }) => key >= from && key < to)!;
    taker.last += BigInt(this.#chance.whole(1, 1_000));
    const sequenceNumber = String(taker.last);
    const arrivedAt = Math.floor(this.#clock.now()) - age;
    const record = { sequenceNumber, partitionKey, data, arrivedAt };
    taker.records.push(record);
    return { shard: taker.shard.id, record };
  }

  split(): void {
    const wide = this.#open.filter(({ from, to }) => to - from > 1);
    const parent = this.#chance.pick(wide);
    const middle = this.#chance.whole(parent.from + 1, parent.to - 1);
    parent.closed = true;
    this.#add({ parentId: parent.shard.id }, parent.from, middle);
    this.#add({ parentId: parent.shard.id }, middle, parent.to);
  }

  merge(): void {
    const pairs = this.#open.flatMap((low) =>
      this.#open.filter((high) => high.from === low.to).map((high) => [low, high] as const),
    );
    if (pairs.length === 0) return;
    const [low, high] = this.#chance.pick(pairs);
    low.closed = true;
    high.closed = true;
    this.#add({ parentId: low.shard.id, adjacentParentId: high.shard.id }, low.from, high.to);
  }

  listShards(): Promise<readonly Shard[]> {
    return Promise.resolve([...this.#shards.values()].map(({ shard }) => shard));
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    const shard = this.#shards.get(shardId)!;
    const { records } = shard;
    let next = firstIndex(records, position);
    return {
      read: (limit) => {
        const page = records.slice(
          next,
          next + Math.min(limit, this.#chance.whole(this.#minimumPageSize, 500)),
        );
        next += page.length;
        const atEnd = next === records.length;
        return Promise.resolve({
          records: page,
          closed: atEnd && shard.closed,
          isAtTip: atEnd,
        });
      },
    };
  }

  get #open(): OpenShard[] {
    return [...this.#shards.values()].filter(({ closed }) => !closed);
  }

  #add(parents: Omit<Shard, 'id'>, from: number, to: number): void {
    const id = `shardId-${String(this.#shards.size).padStart(12, '0')}`;
    // Some shards start at 95 so that their sequence numbers soon gain a digit and cannot be compared as text.
    const last = this.#chance.pick([95n, BigInt(this.#chance.whole(1, 9)) * 10n ** 55n]);
    this.#shards.set(id, { shard: { id, ...parents }, records: [], from, to, last, closed: false });
  }
}

function firstIndex(records: readonly ShardRecord[], position: ShardPosition): number {
  if (position.at === 'TRIM_HORIZON') return 0;
  if (position.at !== 'AFTER_SEQUENCE_NUMBER')
    throw new Error(`the stream does not support the position ${position.at}`);
  const after = BigInt(position.sequenceNumber);
  const index = records.findIndex((record) => BigInt(record.sequenceNumber) > after);
  return index === -1 ? records.length : index;
}
