/** A milestone of a model: something a customer waits for. */
export interface Milestone {
  /** What `describe` and the API call it; 1 to 256 characters. */
  readonly id: string;
  /** Its name for people; 1 to 256 characters. */
  readonly label: string;
  /** True where a process may be complete without it. */
  readonly optional?: boolean;
}

/** What a state says of one milestone. One that is not mentioned is neither reached nor expected. */
export interface MilestoneProgress {
  /** The milestone's `id`. */
  readonly id: string;
  /** When it was reached, RFC 3339 in UTC; left out while it is not. */
  readonly at?: string;
  /** By when it is expected, RFC 3339 in UTC. */
  readonly expectedBy?: string;
  /** True when it was not reached in time, for whoever is to be told; see `InstanceLate`. */
  readonly late?: boolean;
}

/** What a state means to people. */
export interface Description {
  /** One of the model's statuses. */
  readonly status: string;
  /** True when nothing more is expected to happen. */
  readonly done?: boolean;
  /** 0 to 1; left out, it is the share of the milestones that are reached. */
  readonly progress?: number;
  /** How far each milestone is; those left out are neither reached nor expected. */
  readonly milestones?: readonly MilestoneProgress[];
}

/** The same, with what the instance is found by: see `keysOf`. */
export interface KeyedDescription extends Description {
  readonly keys?: readonly string[];
}

/** A picture of a model: its statuses and what leads from one to the next. */
export interface Diagram {
  /** The statuses, each with what it is called. */
  readonly nodes: readonly {
    /** Tells it from other nodes. */
    readonly id: string;
    /** Its name for people. */
    readonly label: string;
  }[];
  /** What leads from one node to another, by their ids. */
  readonly edges: readonly {
    /** The id of the node that it starts at. */
    readonly from: string;
    /** The id of the node that it ends at. */
    readonly to: string;
    /** What leads there, for people. */
    readonly label: string;
  }[];
}
