import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { BlockedEvent } from '../parking/blocked-event.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { EventMacs } from '../stream/signing/event-macs.ts';
import type { ApplyEventsDependencies } from './apply-events.ts';
import type { Deaggregate } from './decode-records.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { SpanExporter } from './monitoring/span-exporter.ts';
import type { RegistryCache } from './registry-cache.ts';

/** The collaborators of the dispatcher. */
export interface DispatchDependencies
  extends Omit<ApplyEventsDependencies, 'onParked' | 'recorder' | 'invokeBy'> {
  readonly deaggregate: Deaggregate;
  readonly registry: RegistryCache;
  /** Tells Milepost's own events from forgeries. */
  readonly macs: Pick<EventMacs, 'findFlaw'>;
  /** Told of everything that an operator may want to know; one call a batch and kind. */
  readonly log: DispatchLog;
  /** Where nobody wants to know what batches come to, there are none. */
  readonly metrics?: Metrics;
  /** Where traces are not recorded, there are none. */
  readonly spanExporter?: SpanExporter;
}

/** The log of the dispatcher. */
export interface DispatchLog {
  deadLetters(letters: readonly DeadLetter[]): void;
  parked(parked: readonly BlockedEvent[]): void;
  failures(failures: readonly BatchItemFailure[]): void;
}

/** The collaborators of the dispatcher for one batch. */
export interface BatchDependencies
  extends DispatchDependencies,
    Pick<ApplyEventsDependencies, 'recorder' | 'invokeBy'> {}
