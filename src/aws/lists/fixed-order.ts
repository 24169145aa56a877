import pMap from 'p-map';
import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { Item } from '../client/dynamodb.ts';
import { compareKeys } from '../dynamodb/compare-keys.ts';
import { maximumSortKeyBytes } from '../dynamodb/item-size.ts';
import { indexPartitionNumber, indexPartitionsOf, instanceOf } from '../instances/instance-keys.ts';
import { statusIndexes } from '../instances/status-indexes.ts';
import type { PlanDependencies } from './query-plan.ts';
import { concurrency } from './status-index.ts';

/**
 * Lists a model's instances, sorted by their group of index partitions and, within a group, by transaction id.
 *
 * The number of groups is the number of partitions that the tracker started with. An instance always belongs to the
 * same group, even if its row moves to another partition when the number of partitions grows.
 */
export async function listInFixedOrder(
  dependencies: PlanDependencies,
  model: string,
  { limit, cursor }: PageRequest,
): Promise<ListPage<InstanceKey>> {
  const { partitions } = dependencies;
  const [groups, { byTransaction }] = await Promise.all([partitions.first(), partitions.toRead()]);
  const indexPartitions = indexPartitionsOf(model, byTransaction);
  let [group, after] = readCursor(cursor);
  const found: string[] = [];
  for (; found.length <= limit && group < groups; group += 1, after = '') {
    const ofGroup = indexPartitions.filter((_, number) => number % groups === group);
    const wanted = limit + 1 - found.length;
    found.push(...(await readAfter(dependencies, ofGroup, after, wanted)));
  }
  const items = found.slice(0, limit).map(instanceOf);
  return found.length > limit
    ? { items, cursor: await cursorAfter(dependencies, items.at(-1)!) }
    : { items };
}

/** Returns the cursor for the instances after the given instance. */
export async function cursorAfter(
  { partitions }: Pick<PlanDependencies, 'partitions'>,
  instance: InstanceKey,
): Promise<string> {
  return `${indexPartitionNumber(instance, await partitions.first())}#${instance.transaction}`;
}

/** Parses a cursor. For an invalid cursor, returns a position after all instances. */
function readCursor(cursor = '0#'): [group: number, transaction: string] {
  const [, group, transaction = ''] = /^(\d+)#(.*)$/su.exec(cursor) ?? [];
  if (group === undefined || Buffer.byteLength(transaction) > maximumSortKeyBytes)
    return [Infinity, ''];
  return [Number(group), transaction];
}

/**
 * Reads the partition keys of the instances that follow a transaction in a group of index partitions, up to the limit.
 */
async function readAfter(
  dependencies: PlanDependencies,
  indexPartitions: readonly string[],
  transaction: string,
  limit: number,
): Promise<string[]> {
  const found = new Set<string>();
  for (let after: string | undefined = transaction; after !== undefined && found.size < limit; ) {
    const start: string = after;
    // Instances are not distributed evenly, so one more instance is read from each partition.
    const stride =
      Math.ceil((limit - found.size) / indexPartitions.length) +
      (indexPartitions.length > 1 ? 1 : 0);
    const pages = await pMap(
      indexPartitions,
      (indexPartition) => readPage(dependencies, indexPartition, start, stride),
      {
        concurrency,
      },
    );
    const ends = pages.flatMap(({ end }) => (end === undefined ? [] : [end]));
    // Unread items in an incomplete page may sort before items in other pages, so items after the earliest end are
    // omitted.
    const end = ends.toSorted(compareKeys)[0];
    const items = pages
      .flatMap((page) => page.items)
      .filter((item) => end === undefined || compareKeys(transactionIn(item), end) <= 0)
      .toSorted((a, b) => compareKeys(transactionIn(a), transactionIn(b)));
    for (const { pk } of items) found.add(pk!.S!);
    after = end;
  }
  return [...found].slice(0, limit);
}

const transactionIn = (item: Item) => item[statusIndexes.byTransaction.sort]!.S!;

/**
 * Reads a page of an index partition. If the partition contains more items, `end` is the transaction id of the last
 * item that was read.
 */
async function readPage(
  { client, table }: PlanDependencies,
  indexPartition: string,
  transaction: string,
  limit: number,
): Promise<{ readonly items: readonly Item[]; readonly end: string | undefined }> {
  const { name, ...keys } = statusIndexes.byTransaction;
  const { Items = [], LastEvaluatedKey } = await client.query({
    TableName: table,
    IndexName: name,
    KeyConditionExpression: `#partition = :partition${transaction && ' AND #sort > :sort'}`,
    ExpressionAttributeNames: {
      '#partition': keys.partition,
      ...(transaction && { '#sort': keys.sort }),
    },
    ExpressionAttributeValues: {
      ':partition': { S: indexPartition },
      ...(transaction && { ':sort': { S: transaction } }),
    },
    Limit: limit,
  });
  return { items: Items, end: LastEvaluatedKey && transactionIn(LastEvaluatedKey) };
}
