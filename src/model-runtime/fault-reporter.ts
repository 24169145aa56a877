import { messageOf } from '../common/message-of.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { reasonWithPlace } from '../core/history/reason.ts';
import { ModelFault } from '../core/model/model-fault.ts';

/** What is known of faults of a model's code besides their words. */
export interface FaultReporter {
  /** The first position in the model's own code, `models/parcel/model.ts:12:17`; undefined where none is known. */
  placeOf(fault: ModelFault): string | undefined;
  /** Keeps a fault in the log, with its stack. */
  log(fault: ModelFault, event: TrackedEvent): void;
}

/** The reason that people see of a fault, with its position in the code. */
export function reasonOfFault(fault: unknown, faults?: FaultReporter): string {
  const place = fault instanceof ModelFault ? (fault.place ?? faults?.placeOf(fault)) : undefined;
  return reasonWithPlace(messageOf(fault), place);
}
