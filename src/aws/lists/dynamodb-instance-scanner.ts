import * as v from 'valibot';
import type { InstanceScanner } from '../../api/stores/instance-scanner.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { commitKey, instanceOf, parkedPrefix, partitionOf } from '../instances/instance-keys.ts';

/** So many items are looked at in a request for each instance that is wanted. */
const itemsPerInstance = 4;
/** After so many requests an answer is given, though there may be nothing in it. */
const maximumRequests = 20;

const cursorSchema = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), v.string()]));

/** The instances table, read from its one end to the other. */
export class DynamoDbInstanceScanner implements InstanceScanner {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async scan(model: string, { limit, cursor }: PageRequest): Promise<ListPage<InstanceKey>> {
    let from = cursor === undefined ? undefined : keyOfCursor(cursor);
    // Then it is no place that a page ended at.
    if (cursor !== undefined && !from) return { items: [] };
    for (let request = 1; ; request++) {
      const { items, last } = await this.#scan(model, itemsPerInstance * limit, from);
      // Those of an instance stand together.
      const keys = [...new Map(items.map((item) => [item.pk!.S!, item])).values()];
      const page = keys.slice(0, limit);
      from = keys.length > limit ? page.at(-1) : last;
      if (page.length === 0 && from && request < maximumRequests) continue;
      return {
        items: page.map(({ pk }) => instanceOf(pk!.S!)),
        ...(from && { cursor: JSON.stringify([from.pk!.S, from.sk!.S]) }),
      };
    }
  }

  cursorAfter(instance: InstanceKey): string {
    // Whatever sorts behind all that an instance has in the table.
    return JSON.stringify([partitionOf(instance), '~']);
  }

  /** The first commits and the parked events among some items. */
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

function keyOfCursor(cursor: string): Item | undefined {
  const read = v.safeParse(cursorSchema, cursor);
  if (!read.success) return undefined;
  const [pk, sk] = read.output;
  return { pk: { S: pk }, sk: { S: sk } };
}
