import type { CounterGroup } from '../../core/counters/counter.ts';

/** A request for a page of a counter group. */
export interface GroupRequest {
  readonly limit: number;
  /** The name after which the page begins. */
  readonly after?: string;
  /** True to list names in descending order, so the newest day comes first. Default: ascending. */
  readonly newestFirst?: boolean;
}

/** The counters on a page of a group, such as the counters by day. */
export interface CountsInGroup {
  /** The counters on the page that are greater than 0. */
  readonly counts: readonly { readonly name: string; readonly instances: number }[];
  /** The last name on the page, after which the next page begins; undefined on the last page. */
  readonly last?: string;
}

/**
 * The counters of instances, which lag by a few seconds because they are derived from the instances table's change
 * stream.
 */
export interface Counts {
  /** Reads the ids of all models that ever had instances, including models that were removed. */
  countedModels(): Promise<readonly string[]>;
  /**
   * Reads models' totals, by model and total name. A total without instances can be missing, 0, or, while counters
   * change, negative.
   */
  totals(models: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /**
   * Reads the number of deadlines in these weeks, by model and by result: see `deadlineResults`. A result without
   * deadlines can be missing, 0, or, while counters change, negative.
   */
  deadlines(
    models: readonly string[],
    weeks: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Reads a page of a model's counters in one group. */
  inGroup(model: string, group: CounterGroup, request: GroupRequest): Promise<CountsInGroup>;
}
