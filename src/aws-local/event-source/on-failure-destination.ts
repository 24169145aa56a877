import { join } from 'node:path';
import type { Random } from '../random.ts';
import { replaceFile } from '../replace-file.ts';
import type { RecordFormat, StreamEvent } from './record-format.ts';
import type { ShardRecord } from './shards.ts';

/** A receiver of discarded batches. If `deliver` throws, the delivery is retried. */
export interface OnFailureDestination {
  deliver(record: InvocationRecord): Promise<void>;
}

/** An on-failure destination that writes to a folder instead of an S3 bucket, one file per object. */
export class FolderDestination implements OnFailureDestination {
  readonly #folder: string;
  readonly #mappingUuid: string;
  readonly #random: Random;

  constructor(folder: string, mappingUuid: string, random: Random) {
    this.#folder = folder;
    this.#mappingUuid = mappingUuid;
    this.#random = random;
  }

  async deliver(record: InvocationRecord): Promise<void> {
    const key = destinationKey(this.#mappingUuid, record, this.#random.uuid());
    await replaceFile(join(this.#folder, key), JSON.stringify(record));
  }
}

/**
 * Builds the object key in Lambda's format. The key contains the time in UTC, without colons.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
function destinationKey(mappingUuid: string, record: InvocationRecord, uuid: string): string {
  const second = record.timestamp.slice(0, 19).replaceAll(':', '.');
  const day = record.timestamp.slice(0, 10).replaceAll('-', '/');
  const shardId = (record.KinesisBatchInfo ?? record.DDBStreamBatchInfo)?.shardId;
  return `aws/lambda/${mappingUuid}/${shardId}/${day}/${second}-${uuid}`;
}

/**
 * The record of a discarded batch in the format of Lambda's S3 on-failure destination. `payload` is the event itself,
 * as observed in objects that AWS wrote (the documentation describes a JSON string). `responseContext` is present only
 * if the function ran, so a batch with the condition `RecordAgeExceeded` has no `responseContext`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
export interface InvocationRecord {
  readonly requestContext: {
    readonly requestId: string;
    readonly functionArn: string;
    readonly condition: DiscardCondition;
    readonly approximateInvokeCount: number;
  };
  readonly responseContext?: ResponseContext;
  readonly version: '1.0';
  readonly timestamp: string;
  /** Present for a batch from a Kinesis stream. */
  readonly KinesisBatchInfo?: BatchInfo;
  /** Present for a batch from a table's change stream. */
  readonly DDBStreamBatchInfo?: BatchInfo;
  readonly payload: StreamEvent;
}

export interface BatchInfo {
  readonly shardId: string;
  readonly startSequenceNumber: string;
  readonly endSequenceNumber: string;
  readonly approximateArrivalOfFirstRecord: string;
  readonly approximateArrivalOfLastRecord: string;
  readonly batchSize: number;
  readonly streamArn: string;
}

export type DiscardCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface ResponseContext {
  readonly statusCode: 200;
  readonly executedVersion: '$LATEST';
  /** Null if the function succeeded but reported failed items, or returned no state for a tumbling window. */
  readonly functionError: 'Handled' | 'Unhandled' | null;
}

export interface DiscardedBatch {
  readonly condition: DiscardCondition;
  /** One or more records of a single shard, in shard order. */
  readonly records: readonly ShardRecord[];
  readonly approximateInvokeCount: number;
  readonly requestId: string;
  readonly responseContext?: ResponseContext;
}

/** Builds the invocation record of a discarded batch. */
export function invocationRecord(
  discard: DiscardedBatch,
  source: {
    readonly shardId: string;
    readonly streamArn: string;
    readonly functionArn: string;
    readonly batchInfo: RecordFormat['batchInfo'];
  },
  payload: StreamEvent,
  now: number,
): InvocationRecord {
  const first = discard.records[0];
  const last = discard.records.at(-1);
  if (first === undefined || last === undefined) throw new Error('an empty batch was discarded');
  return {
    requestContext: {
      requestId: discard.requestId,
      functionArn: source.functionArn,
      condition: discard.condition,
      approximateInvokeCount: discard.approximateInvokeCount,
    },
    ...(discard.responseContext && { responseContext: discard.responseContext }),
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    [source.batchInfo]: {
      shardId: source.shardId,
      startSequenceNumber: first.sequenceNumber,
      endSequenceNumber: last.sequenceNumber,
      approximateArrivalOfFirstRecord: new Date(first.arrivedAt).toISOString(),
      approximateArrivalOfLastRecord: new Date(last.arrivedAt).toISOString(),
      batchSize: discard.records.length,
      streamArn: source.streamArn,
    },
    payload,
  };
}
