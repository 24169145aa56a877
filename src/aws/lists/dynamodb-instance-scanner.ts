import type { InstanceScanner } from '../../api/stores/instance-scanner.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { commitKey, instanceOf, parkedPrefix, partitionOf } from '../instances/instance-keys.ts';
import { cursorAfterItem, keyOfCursor } from './table-position.ts';

/** The number of items to scan per requested instance. */
const itemsPerInstance = 4;
/** The number of requests after which a page is returned even if it is empty. */
const maximumRequests = 20;

/** Lists instances by scanning the whole instances table. */
export class DynamoDbInstanceScanner implements InstanceScanner {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async scan(model: string, { limit, cursor }: PageRequest): Promise<ListPage<InstanceKey>> {
    let from = cursor === undefined ? undefined : keyOfCursor(cursor);
    // The cursor is malformed, so no page contained it.
    if (cursor !== undefined && !from) return { items: [] };
    for (let request = 1; ; request++) {
      const { items, last } = await this.#scan(model, itemsPerInstance * limit, from);
      // A scan returns an instance's items together. The map keeps each instance's last item, so the next page starts
      // after all the instance's items.
      const keys = [...new Map(items.map((item) => [item.pk!.S!, item])).values()];
      const page = keys.slice(0, limit);
      from = keys.length > limit ? page.at(-1) : last;
      if (page.length === 0 && from && request < maximumRequests) continue;
      return {
        items: page.map(({ pk }) => instanceOf(pk!.S!)),
        ...(from && { cursor: cursorAfterItem(from) }),
      };
    }
  }

  cursorAfter(instance: InstanceKey): string {
    // This key sorts after all the instance's items.
    return cursorAfterItem({ pk: { S: partitionOf(instance) }, sk: { S: '~' } });
  }

  /** Scans for the first commits and the parked events of a model's instances. */
  async #scan(model: string, limit: number, from: Item | undefined) {
    const { Items, LastEvaluatedKey } = await this.#client.scan({
      TableName: this.#table,
      FilterExpression:
        'begins_with(pk, :model) AND sk = :first OR begins_with(pk, :model) AND begins_with(sk, :parked)',
      ExpressionAttributeValues: {
        ':model': { S: partitionOf({ model, transaction: '' }) },
        ':first': { S: commitKey(1) },
        ':parked': { S: parkedPrefix },
      },
      ProjectionExpression: 'pk, sk',
      Limit: limit,
      ExclusiveStartKey: from,
    });
    return { items: Items ?? [], last: LastEvaluatedKey };
  }
}
