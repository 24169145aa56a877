import type { Head } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import type { Settled } from '../service/ports.ts';
import type { DynamoDb } from './client/dynamodb.ts';
import type { Item } from './commit-item.ts';
import { executeStatements, insertStatement } from './execute-statements.ts';
import { namesakeSortKey, namesakes, partitionOf } from './instance-keys.ts';

/** The items by which an instance is found by its keys. */
export function namesakeItems(instance: InstanceKey, keys: readonly string[]): Item[] {
  const partition = partitionOf(instance);
  const sk = namesakeSortKey(instance);
  // The name itself, where it is too long for a sort key.
  const name: Item = sk === partition ? {} : { instance: { S: partition } };
  return keys.map((key) => ({ pk: { S: namesakes(key) }, sk: { S: sk }, ...name }));
}

/** The partition key of the instance that one of these items leads to. */
export const namesakeOf = ({ sk, instance }: Item): string => (instance ?? sk)!.S!;

/**
 * Has instances found by their keys, before their rows say so. What is found by a key that it does
 * not have any more is left out by its row.
 *
 * @returns what became of each instance's keys.
 */
export async function writeNamesakes(
  client: DynamoDb,
  table: string,
  heads: readonly Head[],
): Promise<Settled<void>[]> {
  const items = heads.map((head) => namesakeItems(head, head.description.keys ?? []));
  const inserts = items.flat().map((item) => insertStatement(table, item));
  const written = (await executeStatements(client, inserts)).values();
  return items.map((ofHead) => {
    const answers = ofHead.map(() => written.next().value!);
    return answers.find((answer) => 'error' in answer) ?? { value: undefined };
  });
}
