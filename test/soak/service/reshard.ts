import { setTimeout as pause } from 'node:timers/promises';
import {
  type KinesisClient,
  ListShardsCommand,
  MergeShardsCommand,
  type Shard,
  SplitShardCommand,
} from '@aws-sdk/client-kinesis';

const maximumOpenShards = 6;

/**
 * Splits an open shard, or merges two adjacent shards. Waits until the old shards are closed, because kinesalite also
 * allows splitting a closed shard.
 *
 * @param which selects the shard
 * @returns what was done
 */
export async function reshard(
  kinesis: KinesisClient,
  stream: string,
  { kind, which }: { readonly kind: 'split' | 'merge'; readonly which: number },
): Promise<string> {
  const open = await openShards(kinesis, stream);
  const shard = open[which % open.length]!;
  const next = open[(which % open.length) + 1];
  const of = { StreamName: stream };
  if (kind === 'split' && open.length < maximumOpenShards) {
    const middle = (startOf(shard) + BigInt(shard.HashKeyRange!.EndingHashKey!)) / 2n;
    const split = { ...of, ShardToSplit: shard.ShardId, NewStartingHashKey: String(middle) };
    await kinesis.send(new SplitShardCommand(split));
    await closed(kinesis, stream, shard);
    return `split ${shard.ShardId}`;
  }
  if (kind === 'merge' && next) {
    const merge = { ShardToMerge: shard.ShardId, AdjacentShardToMerge: next.ShardId };
    await kinesis.send(new MergeShardsCommand({ ...of, ...merge }));
    await closed(kinesis, stream, shard);
    return `merged ${shard.ShardId} and ${next.ShardId}`;
  }
  return `no ${kind}: ${open.length} open shards`;
}

/** The shards that accept records, in the order of their hash keys. */
async function openShards(kinesis: KinesisClient, stream: string): Promise<Shard[]> {
  const { Shards = [] } = await kinesis.send(new ListShardsCommand({ StreamName: stream }));
  return Shards.filter((shard) => !shard.SequenceNumberRange?.EndingSequenceNumber).toSorted(
    (a, b) => (startOf(a) < startOf(b) ? -1 : 1),
  );
}

async function closed(kinesis: KinesisClient, stream: string, { ShardId }: Shard): Promise<void> {
  while ((await openShards(kinesis, stream)).some((shard) => shard.ShardId === ShardId))
    await pause(100);
}

const startOf = ({ HashKeyRange }: Shard): bigint => BigInt(HashKeyRange!.StartingHashKey!);
