import { hash } from 'node:crypto';
import type { BusEvent } from '../bus-event.ts';

/** A message that delivers an event to a webhook. */
export interface WebhookMessage {
  /** The id of the message: the same for every delivery of an event, even if the event is published again. */
  readonly id: string;
  /** The lane of the message. Messages in the same lane are delivered in order. */
  readonly lane: string;
  readonly body: string;
}

/** Returns the lane of an event and an id that stays the same if the event is published again. */
export type IdentifyEvent = (event: BusEvent) => Pick<WebhookMessage, 'id' | 'lane'>;

/** Builds the message for an event. */
export function webhookMessageOf(event: BusEvent, identify: IdentifyEvent): WebhookMessage {
  const { id, lane } = identify(event);
  return { id: messageId(id), lane, body: JSON.stringify(event) };
}

/**
 * Returns a message id. A message id must be ASCII without periods, because it is part of a header and of the signed
 * content.
 */
const messageId = (id: string) => `msg_${hash('sha256', id, 'base64url')}`;
