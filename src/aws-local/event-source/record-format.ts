import type { DynamoDBStreamEvent, KinesisStreamEvent } from 'aws-lambda';
import type { MappingIdentity } from './options.ts';
import type { ShardRecord } from './shards.ts';

/** The event that Lambda passes to a function for a batch of records. */
export type StreamEvent = KinesisStreamEvent | DynamoDBStreamEvent;

/** The parts of an event source mapping that depend on the service that provides the stream. */
export interface RecordFormat {
  /** The name of the batch in the records that the on-failure destination receives. */
  readonly batchInfo: 'KinesisBatchInfo' | 'DDBStreamBatchInfo';
  event(records: readonly ShardRecord[], shardId: string, mapping: MappingIdentity): StreamEvent;
  /** Returns the size of a record in the event in bytes, including the comma before the next one. */
  recordBytes(record: ShardRecord, shardId: string, mapping: MappingIdentity): number;
  /** Returns the part of a record that filters apply to; undefined if the format does not support filters. */
  readonly filterable?: (record: ShardRecord) => unknown;
  /** True if a mapping can start at a time. */
  readonly startsAtTimestamp: boolean;
}
