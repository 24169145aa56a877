import type { DueTimers } from '../../api/checks/installation.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { IndexPartitions } from '../instances/index-partitions.ts';
import { indexPartitionsOf } from '../instances/instance-keys.ts';
import { momentOf } from '../instances/status-index-keys.ts';
import { statusIndexes } from '../instances/status-indexes.ts';

/** Reads the earliest due time of a timer or deadline from the due timer index, with one query per index partition. */
export class DynamoDbDueTimers implements DueTimers {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #partitions: IndexPartitions;

  /** @param clock measures the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#table = table;
    this.#partitions = new IndexPartitions({ client, table, clock });
  }

  async earliest(): Promise<string | undefined> {
    const { name, partition: partitionKey, sort } = statusIndexes.byDue;
    const { count } = await this.#partitions.toRead();
    const pages = await Promise.all(
      indexPartitionsOf('due', count).map((partition) =>
        this.#client.query({
          TableName: this.#table,
          IndexName: name,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { '#partition': partitionKey },
          ExpressionAttributeValues: { ':partition': { S: partition } },
          Limit: 1,
        }),
      ),
    );
    const times = pages.flatMap(({ Items = [] }) => Items.map((item) => momentOf(item[sort]!.S!)));
    return times.toSorted()[0];
  }
}
