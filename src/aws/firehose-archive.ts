import { inChunks } from '../core/chunks.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { MilepostError } from '../core/errors.ts';
import type { Firehose, PutResponse } from './client/firehose.ts';

/** How often records that Firehose did not take are put again. */
const attempts = 6;
// A record has at most 1,000 KiB; of more than 500 lines Firehose would not take one apart. A request
// has at most 4 MiB, and so at most four of them.
const [maximumBytes, maximumLines, recordsOfRequest] = [1_000_000, 500, 4];

/** The delivery stream of the archive. */
export class FirehoseArchive {
  readonly #client: Firehose;
  readonly #name: string;
  readonly #clock: Clock;

  constructor(client: Firehose, name: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#name = name;
    this.#clock = clock;
  }

  /**
   * Puts lines of at most 1,000,000 bytes, many to a record, because Firehose bills 5 KB at least for each.
   *
   * @throws MilepostError `busy` when it did not take some of them, however often they were put
   */
  async put(lines: readonly string[]): Promise<void> {
    for (const records of inChunks(packed(lines), recordsOfRequest)) await this.#put(records);
  }

  async #put(records: readonly Buffer[]): Promise<void> {
    let open = records;
    for (let attempt = 1; ; attempt++) {
      const { RequestResponses = [] } = await this.#client.putRecordBatch({
        DeliveryStreamName: this.#name,
        Records: open.map((Data) => ({ Data })),
      });
      const isRefused = ({ ErrorCode }: PutResponse) => ErrorCode !== undefined;
      const refused = RequestResponses.filter(isRefused);
      if (refused.length === 0) return;
      if (attempt === attempts)
        throw new MilepostError(
          'busy',
          `the archive takes no more for now: ${refused[0]!.ErrorCode}`,
        );
      open = open.filter((_, index) => isRefused(RequestResponses[index]!));
      await this.#clock.sleep(50 * 2 ** attempt);
    }
  }
}

function packed(lines: readonly string[]): Buffer[] {
  const records: string[][] = [];
  let bytes = Infinity;
  for (const line of lines) {
    const more = Buffer.byteLength(line);
    if (bytes + more > maximumBytes || records.at(-1)!.length === maximumLines) {
      records.push([]);
      bytes = 0;
    }
    records.at(-1)!.push(line);
    bytes += more;
  }
  return records.map((record) => Buffer.from(record.join('')));
}
