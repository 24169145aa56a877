import { hash } from 'node:crypto';
import type { BusEvent } from '../bus-event.ts';

/** The request that delivers an event to a webhook. */
export interface WebhookMessage {
  /** The same for every delivery of an event, even if the event is published again. */
  readonly id: string;
  /** Messages in the same lane keep their order. */
  readonly lane: string;
  readonly body: string;
}

/** Returns the lane of an event and an id that stays the same if the event is published again. */
export type IdentifyEvent = (event: BusEvent) => Pick<WebhookMessage, 'id' | 'lane'>;

/** Builds the message of an event. */
export function webhookMessageOf(event: BusEvent, identify: IdentifyEvent): WebhookMessage {
  const { id, lane } = identify(event);
  return { id: messageId(id), lane, body: JSON.stringify(event) };
}

/** A message id must be ASCII without full stops, because it appears in a header and in the signed content. */
const messageId = (id: string) => `msg_${hash('sha256', id, 'base64url')}`;
