import type { DynamoDBStreamEvent, KinesisStreamEvent } from 'aws-lambda';
import type { MappingIdentity } from './mapping-identity.ts';
import type { ShardRecord } from './shards.ts';

/** The event that Lambda passes to a function for a batch of records. */
export type StreamEvent = KinesisStreamEvent | DynamoDBStreamEvent;

/** The parts of an event source mapping that depend on the service that provides the stream. */
export interface RecordFormat {
  /** The member that describes the batch in an invocation record for the on-failure destination. */
  readonly batchInfo: 'KinesisBatchInfo' | 'DDBStreamBatchInfo';
  event(records: readonly ShardRecord[], shardId: string, mapping: MappingIdentity): StreamEvent;
  /** Returns the size of a record in the event, in bytes, including the comma before the next record. */
  recordBytes(record: ShardRecord, shardId: string, mapping: MappingIdentity): number;
  /**
   * Returns the part of a record to which filters apply. Undefined if mappings of this format do not support filters.
   */
  readonly filterable?: (record: ShardRecord) => unknown;
  /** True if a mapping of this format supports the starting position `AT_TIMESTAMP`. */
  readonly startsAtTimestamp: boolean;
}
