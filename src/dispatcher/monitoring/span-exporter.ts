import type { InstanceKey } from '../../core/event/event.ts';
import type { TraceContext } from '../../core/event/trace-context.ts';
import type { DispatchOutcome } from './metrics.ts';

/** Milepost's processing of an event, as a span in its sender's trace. */
export interface Span extends InstanceKey {
  readonly trace: TraceContext;
  /** The event's id. */
  readonly event: string;
  readonly outcome: DispatchOutcome;
  /** When the stream received the event, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When Milepost finished processing the event, in milliseconds since 1970. */
  readonly endedAt: number;
}

export interface SpanExporter {
  /**
   * Exports spans. Never throws an error: spans that cannot be exported are dropped. The dispatcher waits for an export
   * for at most half a second.
   */
  export(spans: readonly Span[]): Promise<void>;
}
