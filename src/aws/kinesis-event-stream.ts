import type { PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import { type Clock, systemClock } from '../core/clock.ts';
import { MilepostError } from '../core/errors.ts';
import type { EventStream, OutgoingRecord } from '../service/ports.ts';
import type { Kinesis } from './client/kinesis.ts';

/** How often records that the stream did not take are put again. */
const attempts = 6;
// Limits of PutRecords: 500 records, and 10 MB with their partition keys; it was 5 MB for long, and
// that is what endpoints other than AWS's own still take.
const maximumRecords = 500;
const maximumBytes = 5 * 1024 * 1024;

/** The Kinesis stream. */
export class KinesisEventStream implements EventStream {
  readonly #client: Kinesis;
  readonly #streamName: string;
  readonly #clock: Clock;

  constructor(client: Kinesis, streamName: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#streamName = streamName;
    this.#clock = clock;
  }

  async put(records: readonly OutgoingRecord[]): Promise<void> {
    let taken = 0;
    for (const round of inRounds(records)) {
      // The next round may hold records of the same keys: it waits until all of this one are taken.
      const refused = await this.#putAll(round);
      taken += round.length - refused.length;
      const [first] = refused;
      if (first)
        throw new MilepostError(
          'busy',
          `the stream took ${taken} of ${records.length} records: ${first.ErrorCode} ${first.ErrorMessage ?? ''}`,
        );
    }
  }

  /** Puts records, refused ones several times, and returns what was said of those still refused. */
  async #putAll(records: readonly OutgoingRecord[]): Promise<PutRecordsResultEntry[]> {
    let open = records;
    for (let attempt = 1; ; attempt++) {
      const { Records = [] } = await this.#client.putRecords({
        StreamName: this.#streamName,
        Records: open.map(({ partitionKey, data }) => ({
          PartitionKey: partitionKey,
          Data: data,
        })),
      });
      const refused = Records.filter(({ ErrorCode }) => ErrorCode);
      if (refused.length === 0 || attempt === attempts) return refused;
      open = open.filter((_, index) => Records[index]?.ErrorCode);
      await this.#clock.sleep(50 * 2 ** attempt);
    }
  }
}

/**
 * Requests that together keep the order within each partition key: PutRecords
 * promises no order among its records, so none holds two of the same key, but
 * for those of one moment.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 */
export function inRounds(records: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const rounds: { records: OutgoingRecord[]; bytes: number }[] = [];
  const places = new Map<string, Place>();
  for (const record of records) {
    const bytes = record.data.byteLength + Buffer.byteLength(record.partitionKey);
    const before = places.get(record.partitionKey);
    const isTogether = record.moment !== undefined && record.moment === before?.moment;
    const first = isTogether ? before.first : (before?.next ?? 0);
    let at = first;
    while (
      rounds[at] &&
      (rounds[at]!.records.length >= maximumRecords || rounds[at]!.bytes + bytes > maximumBytes)
    )
      at++;
    rounds[at] ??= { records: [], bytes: 0 };
    rounds[at]!.records.push(record);
    rounds[at]!.bytes += bytes;
    const next = Math.max(at + 1, before?.next ?? 0);
    places.set(record.partitionKey, { moment: record.moment, first, next });
  }
  return rounds.map((round) => round.records);
}

/** Where the latest records of a partition key went. */
interface Place {
  readonly moment: string | undefined;
  /** The first round that may have those of the moment. */
  readonly first: number;
  /** The first round that may have what comes behind them. */
  readonly next: number;
}
