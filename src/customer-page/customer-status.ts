/**
 * The part of an instance that its customer sees, in the customer's language. `GET /track/{token}` returns this part as
 * JSON, and `<milepost-status>` shows it.
 */
export interface CustomerStatus {
  readonly title: string;
  readonly reference: string | null;
  /** The translated status; null if the instance has only parked events. */
  readonly status: string | null;
  readonly done: boolean;
  /** The progress from 0 to 1; null if it is unknown. */
  readonly progress: number | null;
  /** The event time of the event that set the status, RFC 3339 in UTC; null if the instance has only parked events. */
  readonly since: string | null;
  readonly milestones: readonly CustomerMilestone[];
}

/** The milestone states that a customer can see. */
export type CustomerMilestoneState = 'reached' | 'current' | 'pending' | 'late' | 'skipped';

/** A milestone, as the customer sees it. Times are RFC 3339 in UTC. */
export interface CustomerMilestone {
  readonly label: string;
  readonly state: CustomerMilestoneState;
  /** When the milestone was reached; null until then. */
  readonly at: string | null;
  /** The deadline; null if there is none, while it is paused, or once the milestone is reached or skipped. */
  readonly expectedBy: string | null;
  /**
   * The time by which nine out of ten instances reach the milestone; null if it is unknown, if `expectedBy` is set, or
   * once the milestone is reached or skipped.
   */
  readonly likelyBy: string | null;
}
