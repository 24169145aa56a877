import { inChunks, inChunksWithin } from '../../common/chunks.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import type { Firehose, PutRecordBatchResponse } from '../client/firehose.ts';
import { answerForEach } from '../dynamodb/answer-for-each.ts';

/** How often records that Firehose did not take are put again. */
const attempts = 6;
// A record has at most 1,000 KiB; of more than 500 lines Firehose would not take one apart. A request
// has at most 4 MiB, and so at most four of them.
const recordLimits = { bytes: 1_000_000, values: 500 };
const recordsPerRequest = 4;

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
          `the archive takes no more for now: ${refused[0]!.ErrorCode}`,
        );
      open = open.filter((_, index) => isRefused(answers[index]!));
      await this.#clock.sleep(50 * 2 ** attempt);
    }
  }
}
