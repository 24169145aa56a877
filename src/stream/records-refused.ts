import type { Notice } from '../core/effects/notice.ts';
import { MilepostError } from '../core/errors.ts';
import type { OutgoingRecord } from './event-stream.ts';

/** Thrown when a stream kept refusing some of the records, or of the notices, that were put on it. */
export class RecordsRefused<
  Refused extends OutgoingRecord | Notice = OutgoingRecord,
> extends MilepostError {
  /** Those that are not on the stream: refused, or waiting for one that is. All others are. */
  readonly refused: ReadonlySet<Refused>;

  constructor(message: string, refused: Iterable<Refused>) {
    super('busy', message);
    this.refused = new Set(refused);
  }
}
