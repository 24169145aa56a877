import pMap from 'p-map';
import { queryPages } from '../dynamodb/read-pages.ts';
import { keyIndexPartitions } from '../instances/instance-keys.ts';
import { instanceInKeyIndex } from './key-index.ts';
import { matchesKey, type PlanDependencies, type QueryPlan, readMatching } from './query-plan.ts';
import { concurrency } from './status-index.ts';

/** The maximum number of instances whose rows are read and sorted in memory. */
const maximumMatches = 5_000;

/**
 * Uses the key index to find all instances that share a business key, unless more than `maximumMatches` instances share
 * it.
 */
export const findByKey: QueryPlan = async (dependencies, query, page) => {
  if (!query.key) return undefined;
  const { count } = await dependencies.partitions.toRead();
  const partitions = keyIndexPartitions(query.key, count);
  const found: string[] = [];
  await pMap(partitions, (each) => readKeyIndex(dependencies, each, found), { concurrency });
  if (found.length > maximumMatches) return undefined;
  const candidates = found.filter((partition) => matchesKey(partition, query));
  return readMatching(dependencies, candidates, query, page);
};

/** Adds the partition keys of the instances in a partition of the key index, until there are too many instances. */
async function readKeyIndex(
  { client, table }: PlanDependencies,
  partition: string,
  found: string[],
): Promise<void> {
  const pages = queryPages(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: partition } },
  });
  for await (const { Items = [] } of pages) {
    found.push(...Items.map(instanceInKeyIndex));
    if (found.length > maximumMatches) return;
  }
}
