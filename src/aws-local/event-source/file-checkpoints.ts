import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { replaceFile } from '../replace-file.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import type { ShardPosition } from './shards.ts';

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

/** Thrown if the checkpoint file is invalid. Ignoring it would process all records again. */
export class CheckpointsUnreadableError extends Error {
  readonly code = 'checkpoints-unreadable';
}

/** Stores checkpoints in a small JSON file that is always complete, even after `kill -9`. */
export class FileCheckpoints implements CheckpointStore {
  readonly #path: string;
  #positions: Promise<Map<string, ShardPosition>> | undefined;
  #lastSave: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws {CheckpointsUnreadableError} */
  async load(): Promise<ReadonlyMap<string, ShardPosition>> {
    this.#positions ??= this.#read();
    return this.#positions;
  }

  async save(positions: ReadonlyMap<string, ShardPosition>): Promise<void> {
    this.#positions ??= this.#read();
    const all = await this.#positions;
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
      throw new CheckpointsUnreadableError(`${this.#path} contains no valid checkpoints`, {
        cause,
      });
    }
  }
}
