import type { ShardPosition } from './shards.ts';

/** Where an event source keeps how far each shard has been processed. */
export interface CheckpointStore {
  /** The position of each shard ever saved. */
  load(): Promise<ReadonlyMap<string, ShardPosition>>;
  /** Replaces the positions of these shards in one step, and leaves those of others. */
  save(positions: ReadonlyMap<string, ShardPosition>): Promise<void>;
}

/** Checkpoints that last as long as this object. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly #positions = new Map<string, ShardPosition>();

  async load(): Promise<ReadonlyMap<string, ShardPosition>> {
    return new Map(this.#positions);
  }

  async save(positions: ReadonlyMap<string, ShardPosition>): Promise<void> {
    for (const [shardId, position] of positions) this.#positions.set(shardId, position);
  }
}
