import { hash } from 'node:crypto';
import type { BusEvent } from '../bus-event.ts';

/** The request that a webhook receives for an event. */
export interface WebhookMessage {
  /** The same for each delivery of an event, however often the event is published. */
  readonly id: string;
  /** Messages of one lane keep their order. */
  readonly lane: string;
  readonly body: string;
}

/** Names the message of an event, with any text: an id that repeats of the event share, and its lane. */
export type IdentifyEvent = (event: BusEvent) => Pick<WebhookMessage, 'id' | 'lane'>;

/** The message of an event. */
export function webhookMessageOf(event: BusEvent, identify: IdentifyEvent): WebhookMessage {
  const { id, lane } = identify(event);
  return { id: messageId(id), lane, body: JSON.stringify(event) };
}

/** In a header, and in what is signed, a message id must be ASCII without full stops. */
const messageId = (id: string) => `msg_${hash('sha256', id, 'base64url')}`;
