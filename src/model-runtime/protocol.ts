import type { TrackedEvent } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/commit.ts';
import type { Audit } from '../core/replay/audit.ts';

/** An event on its way to its model, with where its record stood on the stream. */
export interface PositionedEvent {
  readonly event: TrackedEvent;
  readonly position: StreamPosition;
}

/** What the dispatcher sends to a model's Lambda: events of that model, in stream order. */
export interface TransitionRequest {
  readonly op: 'transition';
  readonly events: readonly PositionedEvent[];
  /** True for parked events that are applied again: nothing they would have to wait for. */
  readonly resume?: boolean;
}

/** What the dispatcher sends to a model's Lambda to have instances rebuilt: see `isRebuild`. */
export interface RebuildRequest {
  readonly op: 'rebuild';
  readonly events: readonly PositionedEvent[];
}

/** What the API sends to a model's Lambda to have instances held against their histories. */
export interface AuditRequest {
  readonly op: 'audit';
  /** The id by which the model is registered. */
  readonly model: string;
  readonly transactions: readonly string[];
  /** Only those that changed then or later, RFC 3339 in UTC. */
  readonly since?: string;
  /** Only their status rows: nothing is folded. */
  readonly rowsOnly?: boolean;
}

/** Sent by the API to a model's Lambda, to take personal data out of an instance's history. */
export interface ForgetRequest {
  readonly op: 'forget';
  readonly transaction: string;
  /** The version of the first commit to look at. @default 1 */
  readonly from?: number;
}

/** What the registrar sends to a model's Lambda. */
export interface DescribeRequest {
  readonly op: 'describe';
}

/** Any request to a model's Lambda. */
export type ModelRequest =
  | TransitionRequest
  | RebuildRequest
  | AuditRequest
  | ForgetRequest
  | DescribeRequest;

/**
 * The faults that keep an event from being applied:
 *
 * - `model`: the model's code failed on it.
 * - `instance`: AWS refuses to read or write this instance, and always will: an item is too large, say.
 * - `service`: AWS failed for now. The event is delivered again.
 */
export const faultKinds = ['model', 'instance', 'service'] as const;

/** One of these. */
export type FaultKind = (typeof faultKinds)[number];

/** What became of one event. */
export type EventOutcome =
  | { readonly outcome: 'applied' }
  /** `parked`: events of its instance may be parked, and a crash may have left it among them. */
  | { readonly outcome: 'duplicate'; readonly parked?: boolean }
  | { readonly outcome: 'rejected'; readonly reason: string }
  /** Not done: earlier events of its instance are parked, and it has to wait behind them. */
  | { readonly outcome: 'behind' }
  | { readonly outcome: 'failed'; readonly fault: FaultKind; readonly reason: string };

/** The answer to a `TransitionRequest` or a `RebuildRequest`: an outcome for each event, in the same order. */
export interface ModelAnswer {
  readonly outcomes: readonly EventOutcome[];
}

/** The answer to an `AuditRequest`: of the first transactions, in order; there was no time for others. */
export interface AuditAnswer {
  readonly audits: readonly Audit[];
}

/** The answer to a `ForgetRequest`. */
export interface ForgetAnswer {
  /** How many commits held personal data in plain text. */
  readonly rewritten: number;
  /** The version to continue at, where there was no time for the whole history. */
  readonly next?: number;
}
