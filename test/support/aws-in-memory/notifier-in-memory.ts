import {
  type NotificationEvent,
  readNotificationRecord,
} from '../../../src/core/effects/notification-record.ts';
import { NotificationStream } from '../../../src/model-runtime/notification-stream.ts';
import { EventStreamInMemory } from './event-stream-in-memory.ts';

/** A notification stream on an in-memory Kinesis stream. */
export class NotifierInMemory extends NotificationStream {
  readonly stream: EventStreamInMemory;

  constructor() {
    const stream = new EventStreamInMemory();
    super(stream);
    this.stream = stream;
  }

  /** The accepted notifications, in order, in the format of the bus. */
  get notifications(): NotificationEvent[] {
    return this.stream.records.flatMap(({ data }) => {
      const read = readNotificationRecord(data);
      if ('flaw' in read) throw new Error(read.flaw);
      return read.record.notifications;
    });
  }
}
