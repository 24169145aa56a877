import { laneOf } from '../../src/aws-local/event-source/lane.ts';
import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { inChunks } from '../../src/common/chunks.ts';

/** The event source settings that determine how Lambda splits a shard's records into batches. */
export interface Cutting {
  readonly batchSize: number;
  /** The parallelization factor. */
  readonly lanes: number;
  /** The number of records waiting at each read of the shard. */
  readonly perRead: number;
}

/** The number of records waiting when a shard at its full rate is read every second. */
export const atFullRate = 1_000;
/** The maximum number of records per GetRecords call: an unlimited backlog. */
export const backlog = 10_000;

/**
 * Computes the batches that Lambda invokes the dispatcher with. The records of a read are distributed over the lanes by
 * partition key, and each lane invokes in batches, without a batching window.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-parameters.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html#kinesis-polling-and-batching
 */
export function batchesOf(records: readonly ShardRecord[], cutting: Cutting): ShardRecord[][] {
  return inChunks(records, cutting.perRead).flatMap((read) => {
    const lanes = Map.groupBy(read, ({ partitionKey }) => laneOf(partitionKey, cutting.lanes));
    return [...lanes.values()].flatMap((lane) => inChunks(lane, cutting.batchSize));
  });
}

/** Computes batches with at most one event per instance, so that nothing is folded together. */
export function unfolded(records: readonly ShardRecord[], batchSize: number): ShardRecord[][] {
  const had = new Map<string, number>();
  const rounds: ShardRecord[][] = [];
  for (const record of records) {
    const round = had.get(record.partitionKey) ?? 0;
    had.set(record.partitionKey, round + 1);
    (rounds[round] ??= []).push(record);
  }
  return rounds.flatMap((round) => inChunks(round, batchSize));
}

/** One batch per event, as at a very low rate. */
export const oneByOne = (records: readonly ShardRecord[]) => records.map((record) => [record]);
