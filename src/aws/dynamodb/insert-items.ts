import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { executeStatements, insertStatement, type StatementResult } from './execute-statements.ts';
import { itemBytes } from './item-size.ts';
import { tryConditionalWrite } from './try-conditional-write.ts';

/**
 * The maximum size of an item in a batch request, in bytes. Larger items need separate requests because the size of a
 * batch request is limited.
 */
const maximumBatchedBytes = 16 * 1024;

/**
 * Inserts the small items in batches, unless their keys exist. The caller inserts the other items with `insertItem`.
 *
 * @param items the items; undefined in place of an item that must not be part of a batch.
 * @returns the result of each item; undefined if it was not part of a batch.
 */
export async function insertSmallItems(
  client: DynamoDb,
  table: string,
  items: readonly (Item | undefined)[],
): Promise<(SettledResult<StatementResult> | undefined)[]> {
  const small = items.flatMap((item) =>
    item && itemBytes(item) <= maximumBatchedBytes ? [item] : [],
  );
  const inserts = small.map((item) => insertStatement(table, item));
  const results = await executeStatements(client, inserts);
  const resultOf = new Map<Item | undefined, SettledResult<StatementResult>>(
    small.map((item, n) => [item, results[n]!]),
  );
  return items.map((item) => resultOf.get(item));
}

/** Inserts an item in a separate request, with the client's retries, unless its key exists. */
export async function insertItem(
  client: DynamoDb,
  table: string,
  item: Item,
): Promise<StatementResult> {
  const isInserted = await tryConditionalWrite(() =>
    client.putItem({
      TableName: table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  );
  return isInserted ? 'done' : 'refused';
}
