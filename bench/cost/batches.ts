import { laneOf } from '../../src/aws-local/event-source/lane.ts';
import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { inChunks } from '../../src/common/chunks.ts';

/** How Lambda cuts a shard's records into batches. */
export interface Cutting {
  readonly batchSize: number;
  /** The parallelization factor. */
  readonly lanes: number;
  /** How many records wait when the shard is read. */
  readonly perRead: number;
}

/** As many records as wait when a shard that takes all it can is read every second. */
export const atFullRate = 1_000;
/** As many records as one GetRecords gives at most: there is no end of what waits. */
export const backlog = 10_000;

/**
 * The batches that Lambda invokes the dispatcher with: what a read of the shard gives is spread over
 * the lanes by partition key, and each lane invokes in batches. No window is waited for.
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

/** Batches in which no instance has more than one event: what comes without any folding. */
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

/** Every event alone: what comes when hardly anything happens. */
export const oneByOne = (records: readonly ShardRecord[]) => records.map((record) => [record]);
