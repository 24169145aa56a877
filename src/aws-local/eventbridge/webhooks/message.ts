import { hash } from 'node:crypto';
import type { BusEvent } from '../bus-event.ts';

/** What a webhook is sent of an event. */
export interface Message {
  /** Names it for ever: the same one for the same notice, however often it is published. */
  readonly id: string;
  /** Messages of one lane keep their order. */
  readonly lane: string;
  readonly body: string;
}

/** The message of an event. A notice of Milepost has its instance's lane, anything else its own. */
export function messageOfEvent(event: BusEvent): Message {
  const body = JSON.stringify(event);
  const { id, model, transaction } = event.detail;
  if (event.source !== 'milepost' || typeof id !== 'string')
    return { id: messageId(event.id), lane: event.id, body };
  return { id: messageId(id), lane: JSON.stringify([model, transaction]), body };
}

/**
 * A transaction id is in the notice's id, and may be any text; in a header, and in what is signed,
 * a message id must be ASCII without full stops.
 */
const messageId = (id: string) => `msg_${hash('sha256', id, 'base64url')}`;
