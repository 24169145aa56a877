import { setTimeout as pause } from 'node:timers/promises';
import { type KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { EventStream, OutgoingRecord } from '../service/ports.ts';

/** How often records that the stream did not take are put again. */
const attempts = 6;
// Limits of PutRecords: 500 records, and 10 MB with their partition keys.
const maximumRecords = 500;
const maximumBytes = 9 * 1024 * 1024;

/** The Kinesis stream. */
export class KinesisEventStream implements EventStream {
  readonly #client: KinesisClient;
  readonly #streamName: string;

  constructor(client: KinesisClient, streamName: string) {
    this.#client = client;
    this.#streamName = streamName;
  }

  async put(records: readonly OutgoingRecord[]): Promise<void> {
    for (const round of inRounds(records)) await this.#putAll(round);
  }

  async #putAll(records: readonly OutgoingRecord[]): Promise<void> {
    let open = records;
    for (let attempt = 1; ; attempt++) {
      const { Records } = await this.#client.send(
        new PutRecordsCommand({
          StreamName: this.#streamName,
          Records: open.map(({ partitionKey, data }) => ({
            PartitionKey: partitionKey,
            Data: data,
          })),
        }),
      );
      const refused = Records?.find((record) => record.ErrorCode);
      if (!refused) return;
      open = open.filter((_, index) => Records?.[index]?.ErrorCode);
      if (attempt === attempts)
        throw new Error(
          `the stream took ${records.length - open.length} of ${records.length} records: ${refused.ErrorCode} ${refused.ErrorMessage ?? ''}`,
        );
      await pause(50 * 2 ** attempt);
    }
  }
}

/**
 * Requests that together keep the order within each partition key: PutRecords
 * promises no order among its records, so none holds two of the same key.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 */
export function inRounds(records: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const rounds: { records: OutgoingRecord[]; bytes: number }[] = [];
  const next = new Map<string, number>();
  for (const record of records) {
    const bytes = record.data.byteLength + Buffer.byteLength(record.partitionKey);
    let at = next.get(record.partitionKey) ?? 0;
    while (
      rounds[at] &&
      (rounds[at]!.records.length >= maximumRecords || rounds[at]!.bytes + bytes > maximumBytes)
    )
      at++;
    rounds[at] ??= { records: [], bytes: 0 };
    rounds[at]!.records.push(record);
    rounds[at]!.bytes += bytes;
    next.set(record.partitionKey, at + 1);
  }
  return rounds.map((round) => round.records);
}
