import { parseJson } from '../../../core/json/parse-json.ts';
import type { ObsoleteCounters } from '../../../counter/rebuild/row-page.ts';
import type { DynamoDb, Item } from '../../client/dynamodb.ts';
import { deleteAll } from '../../dynamodb/execute-statements.ts';
import { generationOf } from '../counter-keys.ts';

/** The maximum number of items that one scan request reads. */
const pageSize = 500;

/** Deletes the counters of earlier generations from the counters table. */
export class DynamoDbObsoleteCounters implements ObsoleteCounters {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async deletePage(current: number, cursor: string | undefined): Promise<string | undefined> {
    const { Items = [], LastEvaluatedKey } = await this.#client.scan({
      TableName: this.#table,
      ProjectionExpression: 'pk, sk',
      Limit: pageSize,
      ExclusiveStartKey: cursor === undefined ? undefined : parseJson<Item>(cursor),
    });
    const keys = Items.flatMap(({ pk, sk }) => {
      const generation = generationOf(pk!.S!);
      return generation !== undefined && generation < current ? [{ pk: pk!, sk: sk! }] : [];
    });
    await deleteAll(this.#client, this.#table, keys);
    return LastEvaluatedKey && JSON.stringify(LastEvaluatedKey);
  }
}
