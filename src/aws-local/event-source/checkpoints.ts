import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import { backoffMs } from '../backoff.ts';
import { ConditionVariable } from '../condition-variable.ts';
import { replaceFile } from '../replace-file.ts';
import type { EventSourceContext } from './options.ts';
import type { ShardPosition } from './shards.ts';

/** A store for the positions of an event source, one per shard. */
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
 * Thrown if the checkpoint file is invalid. If the file were ignored, all records of the stream would be reprocessed.
 */
export class CheckpointsUnreadableError extends Error {
  readonly code = 'checkpoints-unreadable';
}

/** A store for checkpoints in a JSON file that is replaced atomically, so that it is complete even after `kill -9`. */
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

type WriterContext = Pick<
  EventSourceContext,
  'backoff' | 'checkpointIntervalMs' | 'checkpoints' | 'clock' | 'log' | 'random' | 'stopping'
>;

/** Writes checkpoints in the background, one write at a time. Each write contains the latest positions. */
export class CheckpointWriter {
  readonly #context: WriterContext;
  readonly #written = new ConditionVariable();
  #unwritten = new Map<string, ShardPosition>();
  #beingWritten: ReadonlyMap<string, ShardPosition> = new Map();
  #writing = false;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /** Marks the records of a shard up to and including a sequence number as done. */
  advance(shardId: string, sequenceNumber: string): void {
    this.#unwritten.set(shardId, { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber });
    if (!this.#writing) void this.#write();
  }

  /** Resolves when the shard's latest checkpoint is written, or if the mapping stops before it can be written. */
  async waitUntilWritten(shardId: string): Promise<void> {
    const isWaiting = (): boolean =>
      this.#unwritten.has(shardId) || this.#beingWritten.has(shardId);
    while (this.#writing && isWaiting()) await this.#written.wait();
  }

  /** Resolves when all checkpoints are written, or if the mapping stops before they can be written. */
  async waitUntilAllWritten(): Promise<void> {
    while (this.#writing) await this.#written.wait();
  }

  async #write(): Promise<void> {
    const { backoff, checkpointIntervalMs, checkpoints, clock, log, random, stopping } =
      this.#context;
    this.#writing = true;
    for (let failures = 0; this.#unwritten.size > 0; ) {
      this.#beingWritten = this.#unwritten;
      this.#unwritten = new Map();
      try {
        await checkpoints.save(this.#beingWritten);
        failures = 0;
      } catch (error) {
        log(`cannot save checkpoints: ${messageOf(error)}`);
        this.#unwritten = new Map([...this.#beingWritten, ...this.#unwritten]);
        failures += 1;
        if (stopping.aborted) break;
        await clock.sleep(backoffMs(failures, backoff, random), stopping);
      }
      this.#beingWritten = new Map();
      this.#written.notify();
      await clock.sleep(checkpointIntervalMs, stopping);
    }
    this.#beingWritten = new Map();
    this.#writing = false;
    this.#written.notify();
  }
}
