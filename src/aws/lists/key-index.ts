import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { statusRow } from '../../core/status/status-row.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { executeStatements, insertStatement } from '../dynamodb/execute-statements.ts';
import { keyIndexPartition, keyIndexSortKey, partitionOf } from '../instances/instance-keys.ts';

/** The items by which an instance is found by its keys. */
export function keyIndexItems(instance: InstanceKey, keys: readonly string[]): Item[] {
  const partition = partitionOf(instance);
  const sk = keyIndexSortKey(instance);
  // The name itself, where it is too long for a sort key.
  const name: Item = sk === partition ? {} : { instance: { S: partition } };
  return keys.map((key) => ({
    pk: { S: keyIndexPartition(key, instance) },
    sk: { S: sk },
    ...name,
  }));
}

/** The partition key of the instance that one of these items leads to. */
export const instanceInKeyIndex = ({ sk, instance }: Item): string => (instance ?? sk)!.S!;

/**
 * Has instances found by their keys, before their rows say so. An instance that is found by a key that it
 * no longer has is left out of lists by its row.
 */
export async function writeKeyIndex(
  client: DynamoDb,
  table: string,
  heads: readonly Head[],
): Promise<SettledResult<void>[]> {
  const items = heads.map((head) => keyIndexItems(head, statusRow(head).keys));
  const inserts = items.flat().map((item) => insertStatement(table, item));
  const written = (await executeStatements(client, inserts)).values();
  return items.map((own): SettledResult<void> => {
    const failed = own.map(() => written.next().value!).find((each) => 'error' in each);
    return failed ?? { value: undefined };
  });
}
