import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { BlockedEvent } from '../parking/blocked-event.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { EventMacs } from '../stream/signing/event-macs.ts';
import type { ApplyEventsDependencies } from './apply-events.ts';
import type { Deaggregate } from './decode-records.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { SpanExporter } from './monitoring/span-exporter.ts';
import type { RegistryCache } from './registry-cache.ts';

export interface DispatchDependencies
  extends Omit<ApplyEventsDependencies, 'recorder' | 'invokeBy'> {
  readonly deaggregate: Deaggregate;
  readonly registry: RegistryCache;
  /** Distinguishes Milepost's own events from forgeries. */
  readonly macs: Pick<EventMacs, 'findFlaw'>;
  /**
   * The log for operators. Each call reports many items at once, so a batch with many failures does not flood the log.
   */
  readonly log: DispatchLog;
  /** Records metrics; undefined if metrics are disabled. */
  readonly metrics?: Metrics;
  /** Exports spans to a tracing backend; undefined if tracing is disabled. */
  readonly spanExporter?: SpanExporter;
}

export interface DispatchLog {
  deadLetters(letters: readonly DeadLetter[]): void;
  parked(parked: readonly BlockedEvent[]): void;
  failures(failures: readonly BatchItemFailure[]): void;
}

/** The dispatcher's dependencies for one batch. */
export interface BatchDependencies
  extends DispatchDependencies,
    Pick<ApplyEventsDependencies, 'recorder' | 'invokeBy'> {}
