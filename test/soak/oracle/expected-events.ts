import type { PlannedEvent } from '../plan/put.ts';
import type { Journal, SentPut } from '../traffic/journal.ts';

/** An event that producers sent to an instance, once or repeatedly. */
export interface ExpectedEvent {
  /** The event as it was first sent. Repetitions may have different data. */
  readonly event: PlannedEvent;
  /**
   * True if a request with `event` succeeded. In that case, the instance must have this event, in order and with this
   * data.
   */
  isFirstAcknowledged: boolean;
  /**
   * True if a request with `event` or one of its repetitions succeeded. Otherwise, the event may or may not have
   * arrived.
   */
  isRequired: boolean;
  /** `event` and its repetitions, any of which may have arrived first. */
  readonly variants: PlannedEvent[];
}

/** Returns the map key that identifies an instance. */
export const instanceKey = (model: string, transaction: string): string =>
  JSON.stringify([model, transaction]);

/** Returns the map key that identifies an event within its instance. */
export const eventKey = ({
  source,
  id,
}: {
  readonly source: string;
  readonly id: string;
}): string => JSON.stringify([source, id]);

/** The events of each instance by `eventKey`, in the order in which they were first sent. */
export type ExpectedEvents = ReadonlyMap<string, ReadonlyMap<string, ExpectedEvent>>;

/** Derives the events of each instance from the journal. */
export function expectedEvents(journal: Journal): ExpectedEvents {
  const all = new Map<string, Map<string, ExpectedEvent>>();
  for (const sent of journal.flat()) {
    const { event } = sent.put;
    if (!event || sent.attempts === 0) continue;
    const instance = instanceKey(event.modelid, event.transactionid);
    if (!all.has(instance)) all.set(instance, new Map());
    addTo(all.get(instance)!, event, sent);
  }
  return all;
}

function addTo(
  events: Map<string, ExpectedEvent>,
  event: PlannedEvent,
  { isAcknowledged }: SentPut,
): void {
  const known = events.get(eventKey(event));
  if (known) {
    known.isRequired ||= isAcknowledged;
    known.variants.push(event);
    return;
  }
  const isFirstAcknowledged = isAcknowledged;
  const isRequired = isAcknowledged;
  events.set(eventKey(event), { event, isFirstAcknowledged, isRequired, variants: [event] });
}
