import { messageOf } from '../../common/message-of.ts';
import { backoffMs } from '../backoff.ts';
import { ConditionVariable } from '../condition-variable.ts';
import type { EventSourceContext } from './options.ts';
import type { ShardPosition } from './shards.ts';

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

  /** Resolves when the shard's latest checkpoint has been written, or if the mapping stops before it can be written. */
  async waitUntilWritten(shardId: string): Promise<void> {
    const isWaiting = (): boolean =>
      this.#unwritten.has(shardId) || this.#beingWritten.has(shardId);
    while (this.#writing && isWaiting()) await this.#written.wait();
  }

  /** Resolves when all checkpoints have been written, or if the mapping stops before they can be written. */
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
