import type { CappedCountByModel, InstanceQuery } from '../../api/stores/instance-lists.ts';
import type { Item } from '../client/dynamodb.ts';
import { instanceOf } from '../instances/instance-keys.ts';
import { endOfMoment, statusIndexes } from '../instances/status-item.ts';
import { narrowestRange } from './narrowest-range.ts';
import type { PlanDependencies } from './query-plan.ts';
import { below, highest } from './status-index.ts';

/** The maximum number of items that are counted in each partition. */
const maximumCounted = 1_250;
/**
 * The maximum number of instances with deadlines that one scan counts. Their entries in the index fit into the 1 MB of a
 * response, and one request is faster than a query of each partition.
 */
const maximumScanned = 8_000;

/** Counts the late or parked instances of each model. */
export async function countByModel(
  { index, models }: PlanDependencies,
  query: Pick<InstanceQuery, 'lateBy' | 'parked'>,
): Promise<CappedCountByModel> {
  const range = await narrowestRange(models, query);
  const pages = await index.firstPages(range, below(range.below ?? highest), maximumCounted);
  return {
    counts: byModel(pages.flatMap(({ items }) => items)),
    more: pages.some(({ cut }) => cut),
  };
}

/**
 * Counts the late instances of each model.
 *
 * @param deadlines the approximate number of instances that are late or have a deadline.
 */
export async function countLate(
  dependencies: PlanDependencies,
  lateBy: string,
  deadlines: number,
): Promise<CappedCountByModel> {
  if (deadlines <= maximumScanned) {
    const { client, table } = dependencies;
    const { name, sort } = statusIndexes.byLate;
    const { Items = [], LastEvaluatedKey } = await client.scan({
      TableName: table,
      IndexName: name,
      FilterExpression: '#sort < :end',
      ExpressionAttributeNames: { '#sort': sort },
      ExpressionAttributeValues: { ':end': { S: endOfMoment(lateBy) } },
      ProjectionExpression: 'pk',
    });
    if (!LastEvaluatedKey) return { counts: byModel(Items), more: false };
  }
  return countByModel(dependencies, { lateBy });
}

function byModel(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { pk } of items) {
    const { model } = instanceOf(pk!.S!);
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return counts;
}
