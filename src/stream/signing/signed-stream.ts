import type { EventStream, OutgoingRecord } from '../event-stream.ts';
import { RecordsRefusedError } from '../records-refused-error.ts';
import type { EventMacs } from './event-macs.ts';

/** The stream, for Milepost's own events: each gets its MAC on the way. */
export class SignedStream implements EventStream {
  readonly #stream: EventStream;
  readonly #macs: Pick<EventMacs, 'sign'>;

  constructor(stream: EventStream, macs: Pick<EventMacs, 'sign'>) {
    this.#stream = stream;
    this.#macs = macs;
  }

  async put(records: readonly OutgoingRecord[]): Promise<void> {
    const signed = await this.#macs.sign(records);
    try {
      await this.#stream.put(signed);
    } catch (error) {
      if (!(error instanceof RecordsRefusedError)) throw error;
      // The caller knows its own records.
      const refused = records.filter((_, index) => error.refused.has(signed[index]!));
      throw new RecordsRefusedError(error.message, refused);
    }
  }
}
