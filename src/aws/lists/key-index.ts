import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { statusRow } from '../../core/status/status-row.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { executeStatements, insertStatement } from '../dynamodb/execute-statements.ts';
import { keyIndexPartition, keyIndexSortKey, partitionOf } from '../instances/instance-keys.ts';
import type { Partitions } from '../instances/partition-counts.ts';

/**
 * Returns an instance's key index items, one per business key.
 *
 * @param partitions the numbers of partitions across which the index keys are distributed.
 */
export function keyIndexItems(
  instance: InstanceKey,
  keys: readonly string[],
  partitions: Partitions,
): Item[] {
  const partition = partitionOf(instance);
  const sk = keyIndexSortKey(instance);
  // The instance's partition key is stored separately if it is too long for a sort key.
  const name: Item = sk === partition ? {} : { instance: { S: partition } };
  return keys.map((key) => ({
    pk: { S: keyIndexPartition(key, instance, partitions.count) },
    sk: { S: sk },
    ...name,
  }));
}

/** Returns the partition key of the instance that a key index item refers to. */
export const instanceInKeyIndex = ({ sk, instance }: Item): string => (instance ?? sk)!.S!;

/**
 * Writes instances' key index items. Must be called before the status rows are written. Lists also check the status
 * row, so an index item for a key that the instance no longer has is harmless.
 */
export async function writeKeyIndex(
  client: DynamoDb,
  table: string,
  heads: readonly Head[],
  partitions: Partitions,
): Promise<SettledResult<void>[]> {
  const items = heads.map((head) => keyIndexItems(head, statusRow(head).keys, partitions));
  const inserts = items.flat().map((item) => insertStatement(table, item));
  const written = (await executeStatements(client, inserts)).values();
  return items.map((own): SettledResult<void> => {
    const failed = own.map(() => written.next().value!).find((each) => 'error' in each);
    return failed ?? { value: undefined };
  });
}
