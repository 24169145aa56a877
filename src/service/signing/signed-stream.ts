import type { EventStream, OutgoingRecord } from '../ports.ts';
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
    await this.#stream.put(await this.#macs.sign(records));
  }
}
