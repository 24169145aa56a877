import type { ShardPosition } from './shards.ts';

/** Stores the position of an event source in each shard. */
export interface CheckpointStore {
  /** Returns the last saved position of each shard. */
  load(): Promise<ReadonlyMap<string, ShardPosition>>;
  /** Atomically replaces the positions of these shards. Other shards keep theirs. */
  save(positions: ReadonlyMap<string, ShardPosition>): Promise<void>;
}

/** Stores checkpoints in memory. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly #positions = new Map<string, ShardPosition>();

  async load(): Promise<ReadonlyMap<string, ShardPosition>> {
    return new Map(this.#positions);
  }

  async save(positions: ReadonlyMap<string, ShardPosition>): Promise<void> {
    for (const [shardId, position] of positions) this.#positions.set(shardId, position);
  }
}
