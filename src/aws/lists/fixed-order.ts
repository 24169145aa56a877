import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { instanceOf, shardFor, shardsOf } from '../instances/instance-keys.ts';
import { statusIndexes } from '../instances/status-item.ts';
import type { PlanDependencies } from './query-plan.ts';

/** The maximum size of a DynamoDB sort key, in bytes. */
const maximumSortKeyBytes = 1_024;

/** Lists the instances of a model by transaction, one index partition after the other. */
export async function listInFixedOrder(
  dependencies: PlanDependencies,
  model: string,
  { limit, cursor }: PageRequest,
): Promise<ListPage<InstanceKey>> {
  const partitions = shardsOf(model);
  let [shard, after] = readCursor(cursor);
  const found: string[] = [];
  for (; found.length <= limit && shard < partitions.length; shard += 1, after = '') {
    const wanted = limit + 1 - found.length;
    found.push(...(await readAfter(dependencies, partitions[shard]!, after, wanted)));
  }
  const items = found.slice(0, limit).map(instanceOf);
  return found.length > limit ? { items, cursor: cursorAfter(items.at(-1)!) } : { items };
}

/** Returns the cursor for the instances after the given instance. */
export function cursorAfter(instance: InstanceKey): string {
  const { model, transaction } = instance;
  return `${shardsOf(model).indexOf(shardFor(model, instance))}#${transaction}`;
}

/** Parses a cursor. An invalid cursor starts after all instances. */
function readCursor(cursor = '0#'): [shard: number, transaction: string] {
  const [, shard, transaction = ''] = /^(\d+)#(.*)$/su.exec(cursor) ?? [];
  if (shard === undefined || Buffer.byteLength(transaction) > maximumSortKeyBytes)
    return [Infinity, ''];
  return [Number(shard), transaction];
}

/** Reads the partition keys of the first instances of an index partition after a transaction. */
async function readAfter(
  { client, table }: PlanDependencies,
  partition: string,
  transaction: string,
  limit: number,
): Promise<string[]> {
  const { name, ...keys } = statusIndexes.byTransaction;
  const pages = queryPages(client, {
    TableName: table,
    IndexName: name,
    KeyConditionExpression: `#partition = :partition${transaction && ' AND #sort > :sort'}`,
    ExpressionAttributeNames: {
      '#partition': keys.partition,
      ...(transaction && { '#sort': keys.sort }),
    },
    ExpressionAttributeValues: {
      ':partition': { S: partition },
      ...(transaction && { ':sort': { S: transaction } }),
    },
    Limit: limit,
  });
  const found: string[] = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items.map(({ pk }) => pk!.S!));
    if (found.length >= limit) break;
  }
  return found;
}
