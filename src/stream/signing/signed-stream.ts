import type { EventStream, OutgoingRecord } from '../event-stream.ts';
import { RecordsRefusedError } from '../records-refused-error.ts';
import type { EventMacs } from './event-macs.ts';

/** An event stream for Milepost's own events, which signs each event with a MAC. */
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
      // Callers identify records by the objects that they passed.
      const refused = records.filter((_, index) => error.refused.has(signed[index]!));
      throw new RecordsRefusedError(error.message, refused);
    }
  }
}
