import type { PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { EventStream, OutgoingRecord } from '../../stream/event-stream.ts';
import { RecordsRefusedError } from '../../stream/records-refused-error.ts';
import type { Kinesis } from '../client/kinesis.ts';
import { answerForEach } from '../dynamodb/answer-for-each.ts';
import { type PendingRecord, RecordLanes } from './record-lanes.ts';

/** How many times to try to put a record. */
const attempts = 6;

/** Puts records on the Kinesis stream. */
export class KinesisEventStream implements EventStream {
  readonly #client: Kinesis;
  readonly #streamName: string;
  readonly #clock: Clock;

  constructor(client: Kinesis, streamName: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#streamName = streamName;
    this.#clock = clock;
  }

  /**
   * Puts records, in order for each sender and partition key.
   *
   * @throws RecordsRefusedError if the stream rejected a record six times. Records from other senders or with other
   *   partition keys are still put.
   */
  async put(records: readonly OutgoingRecord[]): Promise<void> {
    const lanes = new RecordLanes(records);
    const refused: OutgoingRecord[] = [];
    let first: PutRecordsResultEntry | undefined;
    for (let request = lanes.next(); request.length > 0; request = lanes.next()) {
      const answers = await this.#put(request);
      for (const [n, waiting] of request.entries()) {
        if (!answers[n]!.ErrorCode) lanes.remove(waiting);
        else if (++waiting.refusals === attempts) first ??= answers[n];
      }
      for (const waiting of request)
        if (waiting.refusals === attempts) refused.push(...lanes.giveUp(waiting));
      const again = request.map(({ refusals }) => (refusals < attempts ? refusals : 0));
      const refusals = Math.max(...again.filter((_, n) => answers[n]!.ErrorCode), 0);
      if (refusals > 0) await this.#clock.sleep(50 * 2 ** refusals);
    }
    if (first)
      throw new RecordsRefusedError(
        `the stream accepted ${records.length - refused.length} of ${records.length} records: ${first.ErrorCode} ${first.ErrorMessage ?? ''}`,
        refused,
      );
  }

  async #put(request: readonly PendingRecord[]): Promise<readonly PutRecordsResultEntry[]> {
    const { Records } = await this.#client.putRecords({
      StreamName: this.#streamName,
      Records: request.map(({ record: { partitionKey, data } }) => ({
        PartitionKey: partitionKey,
        Data: data,
      })),
    });
    return answerForEach('PutRecords', Records, request.length);
  }
}
