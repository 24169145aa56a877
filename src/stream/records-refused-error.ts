import type { Notification } from '../core/effects/notification.ts';
import { MilepostError } from '../core/errors.ts';
import type { OutgoingRecord } from './event-stream.ts';

/** Thrown when a stream kept refusing some of the records, or of the notifications, that were put on it. */
export class RecordsRefusedError<
  Refused extends OutgoingRecord | Notification = OutgoingRecord,
> extends MilepostError {
  /** Those that are not on the stream: refused, or waiting for one that is. All others are. */
  readonly refused: ReadonlySet<Refused>;

  constructor(message: string, refused: Iterable<Refused>) {
    super('busy', message);
    this.refused = new Set(refused);
  }
}
