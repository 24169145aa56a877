import type { CheckpointStore, ShardPosition } from './ports.ts';

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
