import { type Notice } from '../core/effects/notice.ts';
import { packNotices } from '../core/effects/notification-record.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import { RecordsRefused } from '../stream/records-refused.ts';
import type { Notifier } from './notifier.ts';

/**
 * The stream that notifications travel on from the models to the publisher, so that an outage of the bus
 * holds up no events.
 */
export class NotificationStream implements Notifier {
  readonly #stream: EventStream;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  async publish(notices: readonly Notice[]): Promise<void> {
    const packs = packNotices(notices);
    const records = packs.map(({ partitionKey, data, notifications: [first] }): OutgoingRecord => {
      const { model, transaction } = first!.instance;
      return { partitionKey, data, sender: `${model}/${transaction}` };
    });
    try {
      await this.#stream.put(records);
    } catch (error) {
      if (!(error instanceof RecordsRefused)) throw error;
      // The caller knows its own notices.
      const refused = packs.filter((_, index) => error.refused.has(records[index]!));
      throw new RecordsRefused(
        error.message,
        refused.flatMap((pack) => pack.notifications),
      );
    }
  }
}
