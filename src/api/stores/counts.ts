import type { CounterGroup } from '../../core/counters/counter.ts';

/** A request for a page of a group of counters. */
export interface GroupRequest {
  readonly limit: number;
  /** The name after which the page begins. */
  readonly after?: string;
  /** Whether names are listed in descending order, which is the newest day first. Default: ascending. */
  readonly newestFirst?: boolean;
}

/** A page of a group of counters. */
export interface CountsInGroup {
  /** The counters that are not 0. */
  readonly counts: readonly { readonly name: string; readonly instances: number }[];
  /** The last name on the page; undefined on the last page. */
  readonly last?: string;
}

/** The counters of instances. They follow from the stream of the instances table, which lags behind by seconds. */
export interface Counts {
  /** Reads the ids of all models whose instances were ever counted, including models that were removed. */
  countedModels(): Promise<readonly string[]>;
  /**
   * Reads the totals of models, by model and by the name of the total. A total without instances can be missing, 0, or,
   * while counters change, negative.
   */
  totals(models: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /**
   * Reads the number of instances by model and by the result of their deadlines in these weeks: see `deadlineResults`. A
   * result without instances can be missing, 0, or, while counters change, negative.
   */
  deadlines(
    models: readonly string[],
    weeks: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Reads a page of a group of counters of a model. */
  inGroup(model: string, group: CounterGroup, request: GroupRequest): Promise<CountsInGroup>;
}
