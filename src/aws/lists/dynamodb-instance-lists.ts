import type { InstanceLists, InstanceQuery } from '../../api/stores/instance-lists.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { type InstanceKey, modelIdPattern } from '../../core/event/event.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { CappedCount } from '../../stores/capped-count.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { IndexPartitions } from '../instances/index-partitions.ts';
import { partitionOf } from '../instances/instance-keys.ts';
import { changeKeyOf } from '../instances/status-index-keys.ts';
import { StatusesInUse } from '../instances/statuses-in-use.ts';
import { countParked } from './count-parked.ts';
import { findAlongChanges } from './find-along-changes.ts';
import { findByKey } from './find-by-key.ts';
import { findByPrefix } from './find-by-prefix.ts';
import { cursorAfter, listInFixedOrder } from './fixed-order.ts';
import { comparing } from './merge-pages.ts';
import type { FoundRows, PlanDependencies, QueryPlan } from './query-plan.ts';
import { StatusIndex } from './status-index.ts';
import { StatusRowReader } from './status-row-reader.ts';

/**
 * The query plans for a list, cheapest first. The first plan that suits the query is used; the last plan suits every
 * query.
 */
const plans: readonly QueryPlan[] = [findByKey, findByPrefix, findAlongChanges];

/**
 * Lists instances from the instances table's indexes. The instances on a page are sorted by their latest commit. Across
 * pages, the order is the same if there are so few matching instances that a query plan reads them all. Otherwise,
 * pages follow the order of the index: by when status rows changed or, in lists of instances that are late, are at
 * risk, or have parked events, by when this condition began.
 */
export class DynamoDbInstanceLists implements InstanceLists {
  readonly #dependencies: PlanDependencies;

  /**
   * @param clock measures the delays between attempts, the age of cached settings, and the duration of searches.
   *   Default: the system clock.
   */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    const instances = { client, table, clock };
    this.#dependencies = {
      ...instances,
      index: new StatusIndex(client, table),
      rows: new StatusRowReader(instances),
      partitions: new IndexPartitions(instances),
      statuses: new StatusesInUse(instances),
    };
  }

  async list(query: InstanceQuery, request: PageRequest): Promise<ListPage<StatusRow>> {
    // No instance has an invalid model id, and an invalid id may be too long for a key.
    if (query.model !== undefined && !modelIdPattern.test(query.model)) return { items: [] };
    const { rows: found, continueAfter, areLatest } = await this.#find(query, request);
    const page = found.slice(0, request.limit);
    const rows = page.map(({ row }) => row);
    const latest = areLatest ? rows : await this.#dependencies.rows.withLatestProgress(rows);
    const items = arranged(latest, query);
    const cursor = found.length > request.limit ? page.at(-1)!.sort : continueAfter;
    return cursor === undefined ? { items } : { items, cursor };
  }

  async #find(query: InstanceQuery, request: PageRequest): Promise<FoundRows> {
    for (const plan of plans) {
      const found = await plan(this.#dependencies, query, request);
      if (found) return found;
    }
    throw new Error('no query plan suits the query');
  }

  async inFixedOrder(model: string, request: PageRequest): Promise<ListPage<StatusRow>> {
    const { rows } = this.#dependencies;
    const page = await this.keysInFixedOrder(model, request);
    const read = await rows.read(page.items.map(partitionOf));
    const found = page.items.flatMap((key) => read.get(partitionOf(key)) ?? []);
    return { ...page, items: await rows.withLatestProgress(found) };
  }

  async keysInFixedOrder(model: string, request: PageRequest): Promise<ListPage<InstanceKey>> {
    if (!modelIdPattern.test(model)) return { items: [] };
    return listInFixedOrder(this.#dependencies, model, request);
  }

  cursorAfter(instance: InstanceKey): Promise<string> {
    return cursorAfter(this.#dependencies, instance);
  }

  countParked(): Promise<CappedCount> {
    return countParked(this.#dependencies);
  }
}

/**
 * Sorts the rows on a page by each instance's latest commit. The index is sorted by the latest change to each row,
 * which can be older than the latest commit. With `oldest`, a list by lateness or risk is sorted by when each instance
 * became late or at risk.
 */
function arranged(rows: readonly StatusRow[], query: InstanceQuery): readonly StatusRow[] {
  const { order = 'newest', lateBy, atRiskBy, parked } = query;
  // Only the index contains the time of the oldest parked event, so the order of the index is kept.
  if (order === 'oldest' && parked) return rows;
  const compare = comparing(order);
  const placeOf = (row: StatusRow): string => {
    if (order === 'oldest' && lateBy !== undefined) return row.lateAt ?? '';
    if (order === 'oldest' && atRiskBy !== undefined) return row.riskAt ?? '';
    return changeKeyOf(row);
  };
  return rows.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
}
