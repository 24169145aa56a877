import type { BusEvent } from '../../aws-local/eventbridge/bus-event.ts';
import type { IdentifyEvent } from '../../aws-local/eventbridge/webhooks/webhook-message.ts';

/**
 * Determines the id and the lane of an event for webhooks. A notification has the id in its detail, and the lane of its
 * instance. Any other event has its EventBridge id and a separate lane.
 */
export const identifyNotification: IdentifyEvent = ({ id: eventId, source, detail }: BusEvent) => {
  const { id, model, transaction } = detail;
  if (source !== 'milepost' || typeof id !== 'string') return { id: eventId, lane: eventId };
  return { id, lane: JSON.stringify([model, transaction]) };
};
