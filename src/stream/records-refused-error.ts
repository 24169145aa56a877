import type { Notification } from '../core/effects/notification.ts';
import { MilepostError } from '../core/errors.ts';
import type { OutgoingRecord } from './event-stream.ts';

/** The error thrown when a stream rejects records or notifications even after retries. */
export class RecordsRefusedError<
  Refused extends OutgoingRecord | Notification = OutgoingRecord,
> extends MilepostError {
  /**
   * The items that are not on the stream because the stream rejected them or an earlier item that they must follow. All
   * other items are on the stream.
   */
  readonly refused: ReadonlySet<Refused>;

  constructor(message: string, refused: Iterable<Refused>) {
    super('busy', message);
    this.refused = new Set(refused);
  }
}
