import { hash } from 'node:crypto';
import { Wakeup } from '../wakeup.ts';
import { cutBatch, MAX_PAYLOAD_BYTES } from './batch.ts';
import { BatchProcess } from './batch-process.ts';
import type { Context } from './context.ts';
import type { Pending } from './progress.ts';

/** The lane of a partition key: always the same one, so that the key's records stay in order. */
export function laneOf(partitionKey: string, lanes: number): number {
  return hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;
}

/**
 * One of the concurrent batches of a shard. Its records are invoked in order, one batch at a time;
 * the next batch begins only after the last one has come to its end, retries and all.
 */
export class Lane {
  readonly #context: Context;
  readonly #shardId: string;
  readonly #completed: (records: readonly Pending[]) => void;
  readonly #waiting: Pending[] = [];
  readonly #changed = new Wakeup();
  #ended = false;
  #isWorking = false;
  /** Since when records wait that no invocation takes, milliseconds since 1970. */
  #waitingSince: number | undefined;

  constructor(context: Context, shardId: string, completed: (records: readonly Pending[]) => void) {
    this.#context = context;
    this.#shardId = shardId;
    this.#completed = completed;
    context.stopping.addEventListener('abort', () => this.#changed.notify(), { once: true });
  }

  add(record: Pending): void {
    this.#waiting.push(record);
    if (!this.#isWorking) this.#waitingSince ??= this.#context.clock.now();
    this.#changed.notify();
  }

  /** A batch is being invoked, or waits for its next retry. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Since when records wait that no invocation takes; undefined: none do. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** Nothing will be added any more. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /** Returns after the last batch, or, when stopping, after the invocation under way. */
  async run(): Promise<void> {
    for (;;) {
      const batch = await this.#nextBatch();
      if (batch.length === 0) return;
      this.#isWorking = true;
      this.#waitingSince = undefined;
      await new BatchProcess(this.#context, this.#shardId, batch, this.#completed).run();
      this.#isWorking = false;
      if (this.#waiting.length > 0) this.#waitingSince = this.#context.clock.now();
    }
  }

  /**
   * Waits for the first record, then for a full batch or the end of the window. The window begins
   * when the last batch is done, or, if nothing is waiting then, with the first record. The batch
   * has what has come until its turn. Empty: the end.
   */
  async #nextBatch(): Promise<readonly Pending[]> {
    const { clock, settings, stopping, turn } = this.#context;
    while (this.#waiting.length === 0 && !this.#ended && !stopping.aborted) {
      await this.#changed.wait();
    }
    const limits = { maxRecords: settings.batchSize, maxBytes: MAX_PAYLOAD_BYTES };
    const windowEnd = clock.now() + settings.windowMs;
    while (!stopping.aborted) {
      const { full } = cutBatch(this.#waiting, limits);
      const windowLeft = windowEnd - clock.now();
      if (full || this.#ended || windowLeft <= 0) break;
      await this.#changed.waitAtMost(windowLeft, clock);
    }
    if (this.#waiting.length > 0) await turn();
    if (stopping.aborted) return [];
    return this.#waiting.splice(0, cutBatch(this.#waiting, limits).count);
  }
}
