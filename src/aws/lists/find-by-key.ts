import pMap from 'p-map';
import { queryPages } from '../dynamodb/read-pages.ts';
import { keyIndexPartitions } from '../instances/instance-keys.ts';
import { instanceInKeyIndex } from './key-index.ts';
import { matchesKey, type PlanDependencies, type QueryPlan, readMatching } from './query-plan.ts';
import { concurrency } from './status-index.ts';

/** Uses the key index to find all instances that share a business key. */
export const findByKey: QueryPlan = async (dependencies, query, page) => {
  if (!query.key) return undefined;
  const { count } = await dependencies.partitions.toRead();
  const partitions = keyIndexPartitions(query.key, count);
  const found = await pMap(partitions, (each) => readKeyIndex(dependencies, each), { concurrency });
  const candidates = found.flat().filter((partition) => matchesKey(partition, query));
  return readMatching(dependencies, candidates, query, page);
};

/** Reads the partition keys of the instances in a partition of the key index. */
async function readKeyIndex(
  { client, table }: PlanDependencies,
  partition: string,
): Promise<string[]> {
  const pages = queryPages(client, {
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: partition } },
  });
  const found: string[] = [];
  for await (const { Items = [] } of pages) found.push(...Items.map(instanceInKeyIndex));
  return found;
}
