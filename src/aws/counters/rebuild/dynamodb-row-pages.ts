import type { Clock } from '../../../common/clock.ts';
import type { RowPage, RowPageStore } from '../../../counter/rebuild/row-page.ts';
import type { DynamoDb } from '../../client/dynamodb.ts';
import { compress, decompress } from '../../dynamodb/compress.ts';
import { parseStored } from '../../dynamodb/stored-json.ts';
import { tryConditionalWrite } from '../../dynamodb/try-conditional-write.ts';
import { rebuildExpiry } from '../rebuild-expiry.ts';

const keyOf = (generation: number, page: number) => ({
  pk: { S: `page#${generation}` },
  sk: { S: String(page).padStart(10, '0') },
});

/** Stores the pages of rebuilds in the counters table. DynamoDB deletes expired pages. */
export class DynamoDbRowPages implements RowPageStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(client: DynamoDb, table: string, clock: Pick<Clock, 'now'>) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async read(generation: number, page: number): Promise<RowPage | undefined> {
    const { Item } = await this.#client.getItem({
      TableName: this.#table,
      Key: keyOf(generation, page),
      ConsistentRead: true,
    });
    return Item && parseStored<RowPage>(decompress(Item.content!.B!));
  }

  async put(generation: number, page: number, content: RowPage): Promise<'stored' | 'exists'> {
    const isStored = await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: {
          ...keyOf(generation, page),
          content: { B: compress(JSON.stringify(content)) },
          expiresAt: rebuildExpiry(this.#clock),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    return isStored ? 'stored' : 'exists';
  }
}
