import type { InstanceKey } from '../event/event.ts';
import type { StatusRow } from '../status/status-row.ts';

/**
 * The group of a counter:
 *
 * - `totals`: counts the instances with each status, the late instances, and the instances with parked events;
 * - `day`: counts instances by the day on which they started;
 * - `deadlines`: counts deadline results;
 * - `key:customer`, for example: counts instances by their value of the business key `customer`.
 */
export type CounterGroup = 'totals' | 'day' | 'deadlines' | `key:${string}`;

/** Identifies a counter of a model's instances by its group and name. */
export interface Counter {
  readonly model: string;
  readonly group: CounterGroup;
  /**
   * The counted property within the group: a total, such as `status:Waiting`; a day; the value of a key; or the result
   * of a deadline (see `deadlineResults`).
   */
  readonly name: string;
}

/** A counter and the number to add to it. */
export interface CounterChange extends Counter {
  readonly by: number;
}

/** A status row's fields that determine its counters. */
export type CountedRow = Pick<InstanceKey, 'model'> &
  Pick<StatusRow, 'status' | 'startedAt' | 'parked' | 'deadlines' | 'keys'> & {
    /** True if the row states that the instance is late. */
    readonly isLate: boolean;
  };

/** The names of totals that do not depend on a status. */
export const totals = {
  /** Counts the instances with parked events, even if they have not started. */
  parked: 'parked',
  /** Counts the started instances that are late. */
  late: 'late',
} as const;

/**
 * The prefix of status totals' names. A status can be any string, so the prefix prevents collisions with other totals.
 */
const statusPrefix = 'status:';

/** Returns the name of the total that counts the instances with a status. */
export const statusTotal = (status: string) => `${statusPrefix}${status}`;

/** Returns the status that a total counts; undefined for totals that do not depend on a status. */
export const statusOfTotal = (total: string): string | undefined =>
  total.startsWith(statusPrefix) ? total.slice(statusPrefix.length) : undefined;

/** Returns the counters that include an instance, based on its status row. */
export function countersOf({
  model,
  status,
  startedAt,
  parked,
  isLate,
  deadlines,
  keys,
}: CountedRow): Counter[] {
  const total = (name: string): Counter => ({ model, group: 'totals', name });
  return [
    ...(startedAt === null
      ? []
      : [
          total(statusTotal(status)),
          { model, group: 'day', name: startedAt.slice(0, 'YYYY-MM-DD'.length) } as const,
        ]),
    ...(parked > 0 ? [total(totals.parked)] : []),
    ...(isLate && startedAt !== null ? [total(totals.late)] : []),
    ...(startedAt === null ? [] : deadlines).map(
      (name): Counter => ({ model, group: 'deadlines', name }),
    ),
    ...keys.map((key): Counter => {
      const colon = key.indexOf(':');
      return { model, group: `key:${key.slice(0, colon)}`, name: key.slice(colon + 1) };
    }),
  ];
}

/**
 * Returns the counter changes when an instance moves from one set of counters to another. Counters in both sets do not
 * change and are omitted.
 */
export function changesBetween(
  before: readonly Counter[],
  after: readonly Counter[],
): CounterChange[] {
  const idsBefore = new Set(before.map(counterId));
  const idsAfter = new Set(after.map(counterId));
  return [
    ...before.filter((each) => !idsAfter.has(counterId(each))).map((each) => ({ ...each, by: -1 })),
    ...after.filter((each) => !idsBefore.has(counterId(each))).map((each) => ({ ...each, by: 1 })),
  ];
}

const counterId = ({ model, group, name }: Counter) => JSON.stringify([model, group, name]);
