import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { executeStatements, insertStatement, type StatementResult } from './execute-statements.ts';
import { itemBytes } from './item-size.ts';

/**
 * The maximum size of an item in a batch request, in bytes. Larger items need separate requests because the size of a
 * batch request is limited.
 */
const maximumBatchedBytes = 16 * 1024;

/**
 * Inserts the small items in batches, unless their keys exist. The caller inserts the others in separate requests.
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
