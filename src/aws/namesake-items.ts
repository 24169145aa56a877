import type { Head } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import type { DynamoDb } from './client/dynamodb.ts';
import type { Item } from './commit-item.ts';
import { executeStatements, insertStatement } from './execute-statements.ts';
import { namesakes, partitionOf } from './instance-keys.ts';

/** The items by which an instance is found by its keys. */
export const namesakeItems = (instance: InstanceKey, keys: readonly string[]): Item[] =>
  keys.map((key) => ({ pk: { S: namesakes(key) }, sk: { S: partitionOf(instance) } }));

/**
 * Has instances found by their keys, before their rows say so. What is found by a key that it does
 * not have any more is left out by its row.
 */
export async function writeNamesakes(
  client: DynamoDb,
  table: string,
  heads: readonly Head[],
): Promise<{ error: unknown } | undefined> {
  const items = heads.flatMap((head) => namesakeItems(head, head.description.keys ?? []));
  const inserts = items.map((item) => insertStatement(table, item));
  const written = await executeStatements(client, inserts);
  return written.find((each) => 'error' in each);
}
