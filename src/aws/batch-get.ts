import type { DynamoDb } from './client/dynamodb.ts';
import type { Item } from './commit-item.ts';

/** A request takes so many keys. */
const maximumKeys = 100;

/**
 * The items with these keys, strongly consistent, in no set order; none where there is none.
 *
 * @param keys each of them once.
 * @param attributes those that are wanted; all of them where left out.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export async function batchGet(
  client: DynamoDb,
  table: string,
  keys: readonly Item[],
  attributes?: readonly string[],
): Promise<Item[]> {
  const found: Item[] = [];
  const projection = attributes && {
    ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
  };
  for (let open = keys; open.length > 0; ) {
    const Keys = open.slice(0, maximumKeys);
    const { Responses, UnprocessedKeys } = await client.batchGetItem({
      RequestItems: { [table]: { Keys, ConsistentRead: true, ...projection } },
    });
    found.push(...(Responses?.[table] ?? []));
    // An answer has at most 16 MB; what did not fit into it is asked for again.
    open = [...(UnprocessedKeys?.[table]?.Keys ?? []), ...open.slice(maximumKeys)];
  }
  return found;
}
