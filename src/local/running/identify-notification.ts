import type { BusEvent } from '../../aws-local/eventbridge/bus-event.ts';
import type { IdentifyEvent } from '../../aws-local/eventbridge/webhooks/webhook-message.ts';

/**
 * Identifies an event for webhooks: a notification by its own id, in the lane of its instance; any other event by
 * the id that the bus gave it, in a lane of its own.
 */
export const identifyNotification: IdentifyEvent = ({ id: eventId, source, detail }: BusEvent) => {
  const { id, model, transaction } = detail;
  if (source !== 'milepost' || typeof id !== 'string') return { id: eventId, lane: eventId };
  return { id, lane: JSON.stringify([model, transaction]) };
};
