import { messageOf } from '../common/message-of.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { reasonWithPlace } from '../core/history/reason.ts';
import { ModelFault } from '../core/model/model-fault.ts';

/** Locates and logs faults in a model's code. */
export interface FaultReporter {
  /**
   * Returns the first position in the model's own code, such as `models/parcel/model.ts:12:17`; undefined if unknown.
   */
  placeOf(fault: ModelFault): string | undefined;
  /** Logs a fault with its stack trace. */
  log(fault: ModelFault, event: TrackedEvent): void;
}

/** Returns the reason that users see for a fault, with its position in the code if known. */
export function reasonOfFault(fault: unknown, faults?: FaultReporter): string {
  const place = fault instanceof ModelFault ? (fault.place ?? faults?.placeOf(fault)) : undefined;
  return reasonWithPlace(messageOf(fault), place);
}
