import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { loadOnce } from '../../common/load-once.ts';
import { replaceFile } from '../replace-file.ts';
import type { ShardPosition } from './shards.ts';

/** Stores the positions of an event source, one per shard. */
export interface CheckpointStore {
  /** Returns the last saved position of each shard. */
  load(): Promise<ReadonlyMap<string, ShardPosition>>;
  /** Atomically replaces the positions of the given shards. The positions of other shards do not change. */
  save(positions: ReadonlyMap<string, ShardPosition>): Promise<void>;
}

export class MemoryCheckpoints implements CheckpointStore {
  readonly #positions = new Map<string, ShardPosition>();

  async load(): Promise<ReadonlyMap<string, ShardPosition>> {
    return new Map(this.#positions);
  }

  async save(positions: ReadonlyMap<string, ShardPosition>): Promise<void> {
    for (const [shardId, position] of positions) this.#positions.set(shardId, position);
  }
}

const fileSchema = v.object({
  shards: v.record(
    v.string(),
    v.variant('at', [
      v.object({ at: v.literal('TRIM_HORIZON') }),
      v.object({ at: v.literal('LATEST') }),
      v.object({ at: v.literal('AT_TIMESTAMP'), timestamp: v.number() }),
      v.object({ at: v.literal('AFTER_SEQUENCE_NUMBER'), sequenceNumber: v.string() }),
    ]),
  ),
});

/**
 * The error thrown when the checkpoint file is invalid or cannot be read. If the file were ignored, records could be
 * reprocessed or skipped, depending on the starting position.
 */
export class CheckpointsUnreadableError extends Error {
  readonly code = 'checkpoints-unreadable';
}

/** Stores checkpoints in a JSON file that is replaced atomically so that it is complete even after `kill -9`. */
export class FileCheckpoints implements CheckpointStore {
  readonly #path: string;
  /** Reads the positions once. After a failure, reads them again, because the file can be restored. */
  readonly #loaded = loadOnce(() => this.#read());
  #lastSave: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws {CheckpointsUnreadableError} */
  async load(): Promise<ReadonlyMap<string, ShardPosition>> {
    return this.#loaded();
  }

  async save(positions: ReadonlyMap<string, ShardPosition>): Promise<void> {
    const all = await this.#loaded();
    for (const [shardId, position] of positions) all.set(shardId, position);
    const text = `${JSON.stringify({ shards: Object.fromEntries(all) }, null, 2)}\n`;
    const save = this.#lastSave.then(() => replaceFile(this.#path, text));
    this.#lastSave = save.catch(() => undefined);
    await save;
  }

  async #read(): Promise<Map<string, ShardPosition>> {
    try {
      const file = v.parse(fileSchema, JSON.parse(await readFile(this.#path, 'utf8')));
      return new Map(Object.entries(file.shards));
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return new Map();
      throw new CheckpointsUnreadableError(
        `${this.#path} contains no valid checkpoints; restore the file, or delete it to read the stream from the starting position again`,
        { cause },
      );
    }
  }
}
