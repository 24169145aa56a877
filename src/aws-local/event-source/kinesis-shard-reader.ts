import { ListShardsCommand } from '@aws-sdk/client-kinesis';
import {
  KinesisShardCursor,
  type KinesisShardReaderOptions,
  withTimeout,
} from './kinesis-shard-cursor.ts';
import type { Shard, ShardCursor, ShardPosition, ShardReader } from './shards.ts';

/**
 * Reads a stream through the Kinesis API. Throws on throttling, outages and network errors, and keeps the position in
 * the shard.
 */
export class KinesisShardReader implements ShardReader {
  readonly #options: KinesisShardReaderOptions;

  constructor(options: KinesisShardReaderOptions) {
    this.#options = options;
  }

  async listShards(signal: AbortSignal): Promise<readonly Shard[]> {
    const { client, clock, streamName } = this.#options;
    const shards: Shard[] = [];
    let token: string | undefined;
    do {
      const input = token === undefined ? { StreamName: streamName } : { NextToken: token };
      const page = await withTimeout(clock, signal, (abortSignal) =>
        client.send(new ListShardsCommand(input), { abortSignal }),
      );
      for (const shard of page.Shards ?? []) {
        shards.push({
          id: shard.ShardId ?? '',
          parentId: shard.ParentShardId,
          adjacentParentId: shard.AdjacentParentShardId,
        });
      }
      token = page.NextToken;
    } while (token !== undefined);
    return shards;
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    return new KinesisShardCursor(this.#options, shardId, position, async (signal) => {
      const shards = await this.listShards(signal);
      return shards.some((shard) => shard.id === shardId);
    });
  }
}
