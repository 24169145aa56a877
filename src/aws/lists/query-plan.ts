import type { InstanceQuery } from '../../api/stores/instance-lists.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { PageRequest } from '../../stores/paging.ts';
import type { IndexPartitions } from '../instances/index-partitions.ts';
import { instanceOf } from '../instances/instance-keys.ts';
import type { InstancesTable } from '../instances/instances-table.ts';
import { changeKeyOf } from '../instances/status-index-keys.ts';
import type { StatusesInUse } from '../instances/statuses-in-use.ts';
import { comparing } from './merge-pages.ts';
import type { StatusIndex } from './status-index.ts';
import type { StatusRowReader } from './status-row-reader.ts';

/** The dependencies of query plans. */
export interface PlanDependencies extends InstancesTable {
  readonly index: StatusIndex;
  readonly rows: StatusRowReader;
  readonly partitions: IndexPartitions;
  readonly statuses: StatusesInUse;
}

/** A status row and its sort key in the index that contains it. */
export interface IndexedRow {
  readonly sort: string;
  readonly row: StatusRow;
}

/** The instances that a query plan found, in the order of the query. */
export interface FoundRows {
  /** The instances: at least one more than the page limit, unless the list ends or the search stopped early. */
  readonly rows: readonly IndexedRow[];
  /** The position after which a later search continues; undefined unless the search stopped early. */
  readonly continueAfter?: string;
  /** True if the rows reflect the latest commits. Default: the rows can be older. */
  readonly areLatest?: boolean;
}

/**
 * The maximum number of instances whose latest commits are read for sorting. If there are more instances, they are
 * sorted by when their rows last changed.
 */
const maximumLatest = 200;

/**
 * One way to find a list's instances.
 *
 * @returns the instances; undefined if the plan does not suit the query. The caller then tries the next plan.
 */
export type QueryPlan = (
  dependencies: PlanDependencies,
  query: InstanceQuery,
  page: PageRequest,
) => Promise<FoundRows | undefined>;

/**
 * Reads the rows of the given instances. Returns the rows that match the query and come after the cursor, sorted by
 * each instance's latest commit or, if more than 200 match, by when each row last changed.
 */
export async function readMatching(
  { rows }: PlanDependencies,
  partitions: readonly string[],
  query: InstanceQuery,
  { cursor }: PageRequest,
): Promise<FoundRows> {
  const found = await rows.read(partitions);
  const matching = [...found.values()].filter((row) => matchesQuery(row, query));
  const areLatest = matching.length <= maximumLatest;
  const compare = comparing(query.order ?? 'newest');
  const sorted = (areLatest ? await rows.withLatestProgress(matching) : matching)
    .map((row) => ({ sort: changeKeyOf(row), row }))
    .filter(({ sort }) => cursor === undefined || compare(cursor, sort) < 0)
    .toSorted((a, b) => compare(a.sort, b.sort));
  return { rows: sorted, areLatest };
}

/** Returns true if the model and the transaction id in an instance's partition key match a query. */
export function matchesKey(partition: string, { model, prefix }: InstanceQuery): boolean {
  const instance = instanceOf(partition);
  return (
    (model === undefined || instance.model === model) &&
    instance.transaction.startsWith(prefix ?? '')
  );
}

/** Returns true if a status row matches all filters of a query except `prefix`, which `matchesKey` checks. */
export function matchesQuery(row: StatusRow, query: InstanceQuery): boolean {
  const { model, status, lateBy, atRiskBy, key, parked } = query;
  return (
    // An instance that has not started can be in the index because it was listed while its first event was parked.
    (row.startedAt !== null || parked === true) &&
    (model === undefined || row.model === model) &&
    (status === undefined || row.status === status) &&
    (lateBy === undefined || isLate(row, lateBy)) &&
    (atRiskBy === undefined || (isAtRisk(row, atRiskBy) && !isLate(row, atRiskBy))) &&
    (key === undefined || row.keys.includes(key)) &&
    (!parked || row.parked > 0)
  );
}

const isLate = ({ lateAt }: StatusRow, moment: string) => lateAt !== null && lateAt <= moment;
const isAtRisk = ({ riskAt }: StatusRow, moment: string) => riskAt !== null && riskAt <= moment;
