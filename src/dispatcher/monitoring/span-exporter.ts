import type { InstanceKey } from '../../core/event/event.ts';
import type { TraceContext } from '../../core/event/trace-context.ts';
import type { DispatchOutcome } from './metrics.ts';

/** An event's way through Milepost, as a part of its sender's trace. */
export interface Span extends InstanceKey {
  readonly trace: TraceContext;
  /** The event's id. */
  readonly event: string;
  readonly outcome: DispatchOutcome;
  /** When the stream took it, and when it ended, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Where traces are recorded. */
export interface SpanExporter {
  /** Never throws: what cannot be recorded is let go. */
  export(spans: readonly Span[]): Promise<void>;
}
