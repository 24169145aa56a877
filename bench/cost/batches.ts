import { laneOf } from '../../src/aws-local/event-source/lane-of.ts';
import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { inChunks } from '../../src/common/chunks.ts';

/** The event source settings that determine how Lambda splits a shard's records into batches. */
export interface Cutting {
  readonly batchSize: number;
  /** The number of lanes per shard, which Lambda calls the parallelization factor. */
  readonly lanes: number;
  /** The number of records that each read of the shard returns. */
  readonly perRead: number;
}

/** The number of records per read if a shard receives records at its maximum rate and is read every second. */
export const atFullRate = 1_000;
/** The number of records per read if the shard has a long backlog: the maximum of GetRecords. */
export const backlog = 10_000;

/**
 * Computes the dispatcher's batches. The records of each read are distributed over the lanes by partition key, and each
 * lane splits its records into batches. There is no batching window.
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

/** Computes batches with at most one event per instance so that each commit contains one event. */
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

/** Creates one batch per event, as Lambda does at a very low rate. */
export const oneByOne = (records: readonly ShardRecord[]) => records.map((record) => [record]);
