import type { DueTimers } from '../../api/checks/installation.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { shardsOf } from '../instances/instance-keys.ts';
import { statusIndexes } from '../instances/status-item.ts';

const timestampLength = 'YYYY-MM-DDThh:mm:ss.sssZ'.length;

/** Reads the earliest due time from the index of due timers. Reads one key from each shard. */
export class DynamoDbDueTimers implements DueTimers {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async earliest(): Promise<string | undefined> {
    const { name, partition, sort } = statusIndexes.byDue;
    const pages = await Promise.all(
      shardsOf('due').map((shard) =>
        this.#client.query({
          TableName: this.#table,
          IndexName: name,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { '#partition': partition },
          ExpressionAttributeValues: { ':partition': { S: shard } },
          Limit: 1,
        }),
      ),
    );
    const keys = pages.flatMap(({ Items = [] }) => Items.flatMap((item) => item[sort]?.S ?? []));
    return keys.toSorted()[0]?.slice(0, timestampLength);
  }
}
