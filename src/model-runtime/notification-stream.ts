import type { Notification } from '../core/effects/notification.ts';
import { packNotifications } from '../core/effects/notification-record.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import { RecordsRefusedError } from '../stream/records-refused-error.ts';
import type { Notifier } from './notifier.ts';

/** Puts notifications on a separate stream for the publisher, so an outage of the event bus does not delay events. */
export class NotificationStream implements Notifier {
  readonly #stream: EventStream;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  async publish(notifications: readonly Notification[]): Promise<void> {
    const packs = packNotifications(notifications);
    const records = packs.map(({ partitionKey, data, notifications: [first] }): OutgoingRecord => {
      const { model, transaction } = first!.instance;
      return { partitionKey, data, sender: `${model}/${transaction}` };
    });
    try {
      await this.#stream.put(records);
    } catch (error) {
      if (!(error instanceof RecordsRefusedError)) throw error;
      // Report the rejected notifications as the objects that the caller passed.
      const refused = packs.filter((_, index) => error.refused.has(records[index]!));
      throw new RecordsRefusedError(
        error.message,
        refused.flatMap((pack) => pack.notifications),
      );
    }
  }
}
