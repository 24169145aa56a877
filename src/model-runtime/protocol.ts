import type { DeadlineTimeline } from '../core/deadline/deadline-timeline.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import type { PastInstance } from '../core/history/commit.ts';
import type { StreamPosition } from '../core/history/sequence.ts';
import type { Audit } from '../core/replay/audit.ts';

/** An event that is sent to the model, with the position of its record in the stream. */
export interface PositionedEvent {
  readonly event: TrackedEvent;
  readonly position: StreamPosition;
}

/** The dispatcher's request to a model's Lambda function to apply events of that model, in stream order. */
export interface TransitionRequest {
  readonly op: 'transition';
  readonly events: readonly PositionedEvent[];
  /**
   * True for a redrive, which applies the parked events themselves and therefore does not wait for parked events.
   * Default: false.
   */
  readonly resume?: boolean;
}

/** The failure reason for events that the function had no time to process. The stream redelivers these events. */
export const noTime = 'the function ran out of time';

/** The dispatcher's request to a model's Lambda function to rebuild instances: see `isRebuild`. */
export interface RebuildRequest {
  readonly op: 'rebuild';
  readonly events: readonly PositionedEvent[];
}

/** The API's request to a model's Lambda function to compare instances with their histories. */
export interface AuditRequest {
  readonly op: 'audit';
  /** The id of the model in the registry. */
  readonly model: string;
  readonly transactions: readonly string[];
  /** Skips instances that have not changed since this time, RFC 3339 in UTC. */
  readonly since?: string;
  /** True to check only status rows, without folding histories. */
  readonly rowsOnly?: boolean;
}

/** The API's request to a model's Lambda function to fold the events of an instance up to an event time. */
export interface FoldUntilRequest {
  readonly op: 'fold-until';
  readonly transaction: string;
  /** The latest event time to include, RFC 3339 in UTC, to the millisecond. */
  readonly eventTime: string;
}

/** The API's request to a model's Lambda function for the timelines of an instance's deadlines. */
export interface DeadlinesRequest {
  readonly op: 'deadlines';
  readonly transaction: string;
  /** The current time, RFC 3339 in UTC, which is the earliest end of the timelines of open milestones. */
  readonly now: string;
}

/** The API's request to a model's Lambda function to remove personal data from an instance's history. */
export interface ForgetRequest {
  readonly op: 'forget';
  readonly transaction: string;
  /** The version of the first commit to check for personal data. @default 1 */
  readonly from?: number;
}

/**
 * A request to a model's Lambda function to describe the model. The registrar sends this request at deployment, the API
 * before a rollback, and the local service before it loads a changed model.
 */
export interface DescribeRequest {
  readonly op: 'describe';
}

/** Any request to a model's Lambda function. */
export type ModelRequest =
  | TransitionRequest
  | RebuildRequest
  | AuditRequest
  | FoldUntilRequest
  | DeadlinesRequest
  | ForgetRequest
  | DescribeRequest;

/**
 * The cause that prevents an event from being applied:
 *
 * - `model`: the model's code failed on the event.
 * - `instance`: AWS permanently rejects reads or writes of the instance, for example, because an item is too large.
 * - `service`: AWS failed temporarily. The stream redelivers the event.
 */
export const faultKinds = ['model', 'instance', 'service'] as const;

/** A kind of fault: see `faultKinds`. */
export type FaultKind = (typeof faultKinds)[number];

/** The outcome of one event. `failed` means that the event is not applied or that its tail is incomplete. */
export type EventOutcome =
  | { readonly outcome: 'applied' }
  /** `parked`: the instance may have parked events. After a crash, this event may be one of the parked events. */
  | { readonly outcome: 'duplicate'; readonly parked?: boolean }
  | { readonly outcome: 'rejected'; readonly reason: string }
  /** The event was not applied because it must wait behind parked events of its instance. */
  | { readonly outcome: 'behind' }
  | { readonly outcome: 'failed'; readonly fault: FaultKind; readonly reason: string };

/** The response to a `TransitionRequest` or a `RebuildRequest`: an outcome for each event, in the same order. */
export interface ModelAnswer {
  readonly outcomes: readonly EventOutcome[];
}

/**
 * The response to an `AuditRequest`: the audits of the transactions, in order. The last instances are omitted if time
 * ran out before they were compared or the response would be too large.
 */
export interface AuditAnswer {
  readonly audits: readonly Audit[];
}

/**
 * The response to a `FoldUntilRequest`: the instance, which is null if no event was applied up to the event time, or
 * the reason that its events cannot be folded.
 */
export type FoldUntilAnswer =
  | { readonly instance: PastInstance | null }
  | { readonly failure: string };

/**
 * The response to a `DeadlinesRequest`: the timeline of each deadline, by milestone id, or the reason that the model's
 * code failed.
 */
export type DeadlinesAnswer =
  | { readonly deadlines: Readonly<Record<string, DeadlineTimeline>> }
  | { readonly failure: string };

/** The response to a `ForgetRequest`. The function may have processed only part of the history. */
export interface ForgetAnswer {
  /** The number of commits that contained personal data in plain text and were rewritten. */
  readonly rewritten: number;
  /** The version of the commit to continue with, if time ran out; otherwise omitted. */
  readonly next?: number;
}

/**
 * The response of a model's Lambda function if it could not complete the request because AWS is slow or unavailable.
 * The same request can succeed later. Responses to requests that apply events or rebuild instances report such failures
 * in their outcomes instead.
 */
export interface UnavailableAnswer {
  readonly unavailable: string;
}
