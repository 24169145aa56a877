import type { PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import type { Kinesis } from '../../../src/aws/client/kinesis.ts';
import type { OutgoingRecord } from '../../../src/stream/event-stream.ts';

/** A record as stored by Kinesis. */
export type KeptRecord = Pick<OutgoingRecord, 'partitionKey' | 'data'>;

/** An in-memory Kinesis with one stream. */
export class MemoryKinesis implements Kinesis {
  /** The accepted records, in order. */
  readonly records: KeptRecord[] = [];
  /** The number of records in each request. */
  readonly requests: number[] = [];
  /** The error that every request throws; undefined if requests succeed. */
  failure: Error | undefined;
  /** A hook that receives the records of each request. The request waits for the hook, and fails if it throws. */
  interfere: (records: readonly KeptRecord[]) => Promise<void> | void = () => {};
  /** Returns true for records that the stream rejects. The stream accepts the other records of a request. */
  refuses: (record: KeptRecord) => boolean = () => false;

  putRecords: Kinesis['putRecords'] = async ({ Records = [] }) => {
    const put = Records.map(({ PartitionKey, Data }) => ({
      partitionKey: PartitionKey!,
      data: Data!,
    }));
    await this.interfere(put);
    this.requests.push(put.length);
    if (this.failure) throw this.failure;
    const answers = put.map((record): PutRecordsResultEntry => {
      if (this.refuses(record)) return { ErrorCode: 'ProvisionedThroughputExceededException' };
      this.records.push(record);
      return {};
    });
    return { Records: answers };
  };
}
