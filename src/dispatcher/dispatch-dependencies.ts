import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { Stopped } from '../parking/blocked-event.ts';
import type { Failure } from '../stream/batch-item-failure.ts';
import type { EventMacs } from '../stream/signing/event-macs.ts';
import type { ApplyEnvironment } from './apply-events.ts';
import type { Deaggregate } from './decode-records.ts';
import type { Measures } from './metrics.ts';
import type { RegistryCache } from './registry-cache.ts';
import type { Traces } from './span-exporter.ts';

/** The collaborators of the dispatcher. */
export interface DispatchEnvironment
  extends Omit<ApplyEnvironment, 'onParked' | 'recorder' | 'invokeBy'> {
  readonly deaggregate: Deaggregate;
  readonly registry: RegistryCache;
  /** Tells Milepost's own events from forgeries. */
  readonly macs: Pick<EventMacs, 'findFlaw'>;
  /** Told of everything that an operator may want to know; one call a batch and kind. */
  readonly log: DispatchLog;
  /** Where nobody wants to know what batches come to, there are none. */
  readonly metrics?: Measures;
  /** Where traces are not recorded, there are none. */
  readonly spanExporter?: Traces;
}

/** The log of the dispatcher. */
export interface DispatchLog {
  deadLetters(letters: readonly DeadLetter[]): void;
  parked(parked: readonly Stopped[]): void;
  failures(failures: readonly Failure[]): void;
}

/** The collaborators of the dispatcher for one batch. */
export interface BatchDependencies
  extends DispatchEnvironment,
    Pick<ApplyEnvironment, 'recorder' | 'invokeBy'> {}
