import { parseJson } from '../../../core/json/parse-json.ts';
import type { RowPage, RowScanner, ScannedRow } from '../../../counter/rebuild/row-page.ts';
import type { DynamoDb, Item } from '../../client/dynamodb.ts';
import { statusKey } from '../../instances/instance-keys.ts';
import { rowStateIn } from '../streamed-rows.ts';

/** The default maximum number of rows on a page. */
const defaultMaximumRows = 250;
/** The maximum size of a page as JSON, in bytes. The compressed page must fit into an item of 400 KB. */
const maximumBytes = 300 * 1024;

/** Reads status rows by scanning the whole instances table. */
export class DynamoDbRowScanner implements RowScanner {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #maximumRows: number;

  constructor(client: DynamoDb, table: string, maximumRows = defaultMaximumRows) {
    this.#client = client;
    this.#table = table;
    this.#maximumRows = maximumRows;
  }

  async scan(cursor: string | undefined): Promise<RowPage> {
    const { Items = [], LastEvaluatedKey } = await this.#client.scan({
      TableName: this.#table,
      FilterExpression: 'sk = :status',
      ExpressionAttributeValues: { ':status': { S: statusKey } },
      ConsistentRead: true,
      ExclusiveStartKey: cursor === undefined ? undefined : parseJson<Item>(cursor),
    });
    const rows: ScannedRow[] = [];
    let bytes = 0;
    for (const item of Items) {
      const row = { instance: item.pk!.S!, ...rowStateIn(item) };
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (rows.length === this.#maximumRows || (rows.length > 0 && bytes > maximumBytes)) break;
      rows.push(row);
    }
    const isCut = rows.length < Items.length;
    const last = isCut ? keyOf(Items[rows.length - 1]!) : LastEvaluatedKey;
    return last ? { rows, cursor: JSON.stringify(last) } : { rows };
  }
}

const keyOf = ({ pk, sk }: Item) => ({ pk, sk });
