/** A milestone of a model: a step that a customer waits for. */
export interface Milestone {
  /** The id that `describe` and the API use: 1 to 256 characters. */
  readonly id: string;
  /** The display name: 1 to 256 characters. */
  readonly label: string;
  /** True if a process can be completed without this milestone. Default: false. */
  readonly optional?: boolean | undefined;
}

/** The progress of one milestone. A milestone that a description omits is neither reached nor expected. */
export interface MilestoneProgress {
  /** The `id` of the milestone, as declared in the model. */
  readonly id: string;
  /** When the milestone was reached, RFC 3339 in UTC; omitted until then. */
  readonly at?: string | undefined;
  /**
   * When the milestone is expected, RFC 3339 in UTC; omitted if there is no deadline or while the deadline is paused. A
   * milestone that is not reached by this time is late. A milestone that is reached after this time is reached late.
   */
  readonly expectedBy?: string | undefined;
  /** When the milestone becomes at risk if it has not been reached by then, RFC 3339 in UTC. */
  readonly atRiskAt?: string | undefined;
  /** True while the deadline is paused. The milestone then has no `expectedBy` and is not late. */
  readonly paused?: boolean | undefined;
  /** True if a `MilestoneAtRisk` notification should report that the milestone is at risk. */
  readonly atRisk?: boolean | undefined;
  /** True if a `MilestoneLate` notification should report that the milestone was not reached on time. */
  readonly late?: boolean | undefined;
}

/** The result of `describe`: the status of an instance and the progress of its milestones. */
export interface Description {
  /** One of the model's statuses. */
  readonly status: string;
  /** True if the process has ended, so no more milestones are expected. Default: false. */
  readonly done?: boolean | undefined;
  /**
   * The progress, from 0 to 1. Default: the share of milestones that are reached. Optional milestones count only if
   * they are reached.
   */
  readonly progress?: number | undefined;
  /** The progress of each milestone. Omitted milestones are neither reached nor expected. */
  readonly milestones?: readonly MilestoneProgress[] | undefined;
  /**
   * The name that the customer sees for the instance, such as an order number: 1 to 256 characters. Default: none.
   */
  readonly reference?: string | undefined;
}

/**
 * An instance's business keys by name, such as a customer number: one or more values for each name. Undefined and null
 * mean that the instance does not have the key.
 */
export type Keys = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** A description with the instance's business keys: see `keysOf`. */
export interface KeyedDescription extends Description {
  readonly keys?: readonly string[] | undefined;
}

/** A model's diagram: its statuses and the transitions between them. */
export interface Diagram {
  /** One node for each status, with its display name. */
  readonly nodes: readonly {
    /** The node's id, which edges refer to. */
    readonly id: string;
    /** The display name. */
    readonly label: string;
  }[];
  /** The possible transitions between statuses. */
  readonly edges: readonly {
    /** The id of the node before the transition. */
    readonly from: string;
    /** The id of the node after the transition. */
    readonly to: string;
    /** The displayed cause of the transition, such as an event. */
    readonly label: string;
  }[];
}
