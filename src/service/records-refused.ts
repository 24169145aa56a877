import { MilepostError } from '../core/errors.ts';
import type { OutgoingRecord } from './ports.ts';

/** Thrown when the stream kept refusing some of the records that were put on it. */
export class RecordsRefused extends MilepostError {
  /** The records that are not on the stream: those refused, and those that wait for them. All others are. */
  readonly refused: ReadonlySet<OutgoingRecord>;

  constructor(message: string, refused: Iterable<OutgoingRecord>) {
    super('busy', message);
    this.refused = new Set(refused);
  }
}
