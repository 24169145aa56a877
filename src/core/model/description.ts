/** A milestone of a model: something a customer waits for. */
export interface Milestone {
  /** The id that `describe` and the API use; 1 to 256 characters. */
  readonly id: string;
  /** The display name; 1 to 256 characters. */
  readonly label: string;
  /** True if a process may be complete without it. */
  readonly optional?: boolean;
}

/** The progress of one milestone. A milestone that is not mentioned is neither reached nor expected. */
export interface MilestoneProgress {
  /** The milestone's `id`. */
  readonly id: string;
  /** When it was reached, RFC 3339 in UTC; left out until then. */
  readonly at?: string;
  /** When it is expected, RFC 3339 in UTC. */
  readonly expectedBy?: string;
  /** True if it was not reached in time and a notification should say so; see `InstanceLate`. */
  readonly late?: boolean;
}

/** The meaning of a state to people. */
export interface Description {
  /** One of the model's statuses. */
  readonly status: string;
  /** True if nothing more is expected to happen. */
  readonly done?: boolean;
  /** 0 to 1; default: the share of the milestones that are reached. */
  readonly progress?: number;
  /** The progress of each milestone; those left out are neither reached nor expected. */
  readonly milestones?: readonly MilestoneProgress[];
}

/** A description with the business keys of the instance: see `keysOf`. */
export interface KeyedDescription extends Description {
  readonly keys?: readonly string[];
}

/** A diagram of a model: its statuses and the transitions between them. */
export interface Diagram {
  /** The statuses, each with its label. */
  readonly nodes: readonly {
    /** Identifies the node. */
    readonly id: string;
    /** The display name. */
    readonly label: string;
  }[];
  /** The transitions from one node to another. */
  readonly edges: readonly {
    /** The id of the source node. */
    readonly from: string;
    /** The id of the target node. */
    readonly to: string;
    /** The cause of the transition, for display. */
    readonly label: string;
  }[];
}
