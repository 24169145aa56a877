import pMap from 'p-map';
import { inChunks } from '../core/chunks.ts';
import type { DynamoDb } from './client/dynamodb.ts';
import type { Item } from './commit-item.ts';

/** A request takes so many keys. */
const maximumKeys = 100;
/** So many requests at the same time. */
const concurrency = 4;

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
  const projection = attributes && projectionOf(attributes);
  const all = async (Keys: Item[]): Promise<Item[]> => {
    const { Responses, UnprocessedKeys } = await client.batchGetItem({
      RequestItems: { [table]: { Keys, ConsistentRead: true, ...projection } },
    });
    const found = Responses?.[table] ?? [];
    // An answer has at most 16 MB; what did not fit into it is asked for again.
    const left = UnprocessedKeys?.[table]?.Keys ?? [];
    return left.length > 0 ? [...found, ...(await all(left))] : found;
  };
  return (await pMap(inChunks(keys, maximumKeys), all, { concurrency })).flat();
}

/** The parameters of a request that make it return these attributes alone. */
export const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
