import { hash } from 'node:crypto';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { Chance } from '../../../src/common/chance.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Item } from '../../support/aws-in-memory/dynamodb-expressions.ts';

export interface TableShard {
  readonly id: string;
  /** The shard whose records must be processed first; undefined for the first shards. */
  readonly parent: TableShard | undefined;
  readonly records: DynamoDBRecord[];
  last: bigint;
  closed: boolean;
}

/** The number of open shards. */
const width = 3;

/** The stream of a table, whose shards are replaced from time to time. */
export class TableStream {
  readonly shards: TableShard[] = [];
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #open: TableShard[];
  readonly #timeErrorMs: () => number;

  /** @param timeErrorMs draws the error of a change's time, in milliseconds. */
  constructor(clock: Clock, chance: Chance, timeErrorMs: () => number) {
    this.#clock = clock;
    this.#chance = chance;
    this.#timeErrorMs = timeErrorMs;
    this.#open = Array.from({ length: width }, () => this.#add(undefined));
  }

  /** Appends a change to an item. */
  append(before: Item | undefined, after: Item | undefined): void {
    const { pk, sk } = (after ?? before)!;
    const shard = this.#open[hash('md5', pk!.S!, 'buffer').readUInt8(0) % width]!;
    shard.last += BigInt(this.#chance.whole(1, 30));
    shard.records.push({
      eventName: eventNameOf(before, after),
      dynamodb: {
        Keys: { pk: { S: pk!.S! }, sk: { S: sk!.S! } },
        SequenceNumber: String(shard.last),
        // As in DynamoDB, the times are approximate and rounded down to whole seconds.
        ApproximateCreationDateTime: Math.floor((this.#clock.now() + this.#timeErrorMs()) / 1_000),
        ...(before && { OldImage: imageOf(before) }),
        ...(after && { NewImage: imageOf(after) }),
      },
    });
  }

  /** Closes a shard, whose later changes then appear in a new shard. */
  roll(): void {
    const place = this.#chance.whole(0, width - 1);
    this.#open[place]!.closed = true;
    this.#open[place] = this.#add(this.#open[place]);
  }

  #add(parent: TableShard | undefined): TableShard {
    const id = `shardId-${String(this.shards.length).padStart(20, '0')}`;
    // Some shards start at 95 so that their sequence numbers soon gain a digit and cannot be compared as text.
    const last = this.#chance.pick([95n, 10n ** 21n]);
    const shard = { id, parent, records: [], last, closed: false };
    this.shards.push(shard);
    return shard;
  }
}

function eventNameOf(before: Item | undefined, after: Item | undefined) {
  if (!before) return 'INSERT';
  return after ? 'MODIFY' : 'REMOVE';
}

const imageOf = (item: Item) => structuredClone(item) as Record<string, AttributeValue>;
