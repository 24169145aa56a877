import { inChunks, inChunksWithin } from '../../common/chunks.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import type { Firehose, PutRecordBatchResponse } from '../client/firehose.ts';
import { answerForEach } from '../dynamodb/answer-for-each.ts';

/** How many times to try to put a record. */
const attempts = 6;
// A record can contain up to 1,000 KiB, and Firehose splits it into at most 500 lines. A request can contain up to 4
// MiB, which is four records of the maximum size.
const recordLimits = { bytes: 1_000_000, values: 500 };
const recordsPerRequest = 4;

/** The archive's Firehose delivery stream. */
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
   * Puts lines into the archive. Each line can have up to 1,000,000 bytes. Packs many lines into each record because
   * Firehose charges for at least 5 KB per record.
   *
   * @throws MilepostError `busy` if Firehose still rejects some records after all attempts.
   */
  async put(lines: readonly string[]): Promise<void> {
    const records = inChunksWithin(lines, recordLimits, (line) => Buffer.byteLength(line));
    for (const some of inChunks(records, recordsPerRequest))
      await this.#put(some.map((each) => Buffer.from(each.join(''))));
  }

  async #put(records: readonly Buffer[]): Promise<void> {
    let open = records;
    for (let attempt = 1; ; attempt++) {
      const { RequestResponses } = await this.#client.putRecordBatch({
        DeliveryStreamName: this.#name,
        Records: open.map((Data) => ({ Data })),
      });
      const answers = answerForEach('PutRecordBatch', RequestResponses, open.length);
      const isRefused = ({ ErrorCode }: PutRecordBatchResponse) => ErrorCode !== undefined;
      const refused = answers.filter(isRefused);
      if (refused.length === 0) return;
      if (attempt === attempts)
        throw new MilepostError(
          'busy',
          `Firehose rejected ${refused.length} of ${records.length} archive records in ${attempts} attempts: ${refused[0]!.ErrorCode}`,
        );
      open = open.filter((_, index) => isRefused(answers[index]!));
      await this.#clock.sleep(50 * 2 ** attempt);
    }
  }
}
