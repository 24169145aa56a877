import { messageOf } from '../common/message-of.ts';
import { isReservedSource } from '../core/event/reserved-source.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../stream/received-event.ts';
import type { EventMacs } from '../stream/signing/event-macs.ts';
import type { RefusedEvent } from './failures/overdue-events.ts';
import { type RejectedRecord, rejectEvent } from './failures/rejected-record.ts';

/** A batch's events, divided by the result of their authentication. */
export interface AuthenticationResult {
  /** Events from other systems and Milepost's own events with a valid MAC, in order. */
  readonly genuine: readonly ReceivedEvent[];
  readonly forged: readonly RejectedRecord[];
  /** The events that cannot be verified now. */
  readonly unverified: readonly RefusedEvent[];
  /** Later events of the unverified events' instances. To preserve the order, these must also be redelivered. */
  readonly behind: readonly BatchItemFailure[];
}

/** Verifies the MACs of events whose source is reserved for Milepost. */
export async function authenticate(
  macs: Pick<EventMacs, 'findFlaw'>,
  events: readonly ReceivedEvent[],
): Promise<AuthenticationResult> {
  const genuine: ReceivedEvent[] = [];
  const forged: RejectedRecord[] = [];
  const unverified: RefusedEvent[] = [];
  const behind: BatchItemFailure[] = [];
  /** The reasons for redelivery, by instance. To preserve the order, these instances' later events must also wait. */
  const waiting = new Map<string, string>();
  /** The error from reading the keys. After an error, the keys are not read again for the rest of the batch. */
  let unreadable: Error | undefined;
  for (const received of events) {
    const { record, event } = received;
    const isOwn = isReservedSource(event.source);
    const instance = `${event.model}/${event.transaction}`;
    try {
      if (unreadable && isOwn) throw unreadable;
      const flaw = isOwn ? await macs.findFlaw(record.data) : undefined;
      const reason = waiting.get(instance);
      if (flaw !== undefined) forged.push(rejectEvent(received, forgedReason(flaw)));
      else if (reason !== undefined) behind.push({ record, reason });
      else genuine.push(received);
    } catch (error) {
      unreadable = error as Error;
      const reason = messageOf(error);
      waiting.set(instance, reason);
      unverified.push({ received, reason });
    }
  }
  return { genuine, forged, unverified, behind };
}

const forgedReason = (flaw: string) =>
  `the source starts with milepost:, which is reserved for Milepost's own events, but ${flaw}`;
