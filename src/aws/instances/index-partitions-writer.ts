import type { Clock } from '../../common/clock.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import {
  announcementPeriod,
  newInstallation,
  type PartitionCounts,
  partitionCountsIn,
  partitionCountsItem,
  partitionsAt,
  readPartitionCounts,
} from './partition-counts.ts';

/** Sets and raises the number of partitions across which each index key is distributed: see `PartitionCounts`. */
export class IndexPartitionsWriter {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;

  /** @param table the instances table. */
  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Sets the number of partitions to two if the instances table is empty, that is, if the tracker is new. A tracker
   * without a stored number uses eight partitions. Must be called before the first model is registered because a
   * registered model's function can write rows.
   */
  async begin(): Promise<void> {
    const { Items = [] } = await this.#client.scan({
      TableName: this.#table,
      Limit: 1,
      ConsistentRead: true,
    });
    if (Items.length === 0) await this.#put(newInstallation, undefined);
  }

  /**
   * Announces a higher number of partitions, which writers use after the announcement period. Does nothing if the
   * current or announced number is at least as high.
   *
   * @param count a power of two.
   */
  async raise(count: number): Promise<void> {
    const item = await readPartitionCounts(this.#client, this.#table);
    const counts = partitionCountsIn(item);
    if (counts.count >= count) return;
    const now = this.#clock.now();
    const before = partitionsAt(counts, now).count;
    const raised = { first: counts.first, before, count, from: now + announcementPeriod };
    // If another run has announced a number since the read, nothing is written, and the next run compares the numbers
    // again.
    await this.#put(raised, item);
  }

  /** Writes the numbers unless they have changed since they were read. */
  #put(counts: PartitionCounts, read: Item | undefined): Promise<boolean> {
    return tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: partitionCountsItem(counts),
        ConditionExpression: read ? '#count = :count' : 'attribute_not_exists(pk)',
        ...(read && {
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':count': read.count! },
        }),
      }),
    );
  }
}
