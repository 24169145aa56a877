import { hash } from 'node:crypto';
import { timeLeft } from '../../common/clock.ts';
import { ConditionVariable } from '../condition-variable.ts';
import { BatchProcessor } from './batch-processor.ts';
import type { EventSourceContext } from './options.ts';
import type { PendingRecord } from './shard-progress.ts';

/** The maximum payload of a synchronous Lambda invocation: 6 MB. */
export const maximumPayloadBytes = 6 * 1024 * 1024;

/** The size of the event without its records: `{"Records":[]}`, minus the comma after the last one. */
const eventEnvelopeBytes = 13;

export interface BatchLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/**
 * Returns the number of waiting records in the next batch, and whether the batch is full, so that waiting longer would
 * not add records. A single record that exceeds `maxBytes` forms its own batch.
 *
 * @see
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html#invocation-eventsourcemapping-batching
 */
export function cutBatch(
  waiting: readonly { readonly bytes: number }[],
  limits: BatchLimits,
): { readonly count: number; readonly full: boolean } {
  let bytes = eventEnvelopeBytes;
  let count = 0;
  for (const record of waiting) {
    bytes += record.bytes;
    if (count === limits.maxRecords || (count > 0 && bytes > limits.maxBytes)) {
      return { count, full: true };
    }
    count += 1;
  }
  return { count, full: count === limits.maxRecords || bytes >= limits.maxBytes };
}

/** Returns the lane of a partition key. All records of a key use the same lane, so that they stay in order. */
export function laneOf(partitionKey: string, lanes: number): number {
  return hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;
}

/**
 * One of the sequences of batches of a shard that are processed concurrently. Each batch starts only after the previous
 * one is complete, including its retries.
 */
export class Lane {
  readonly #context: EventSourceContext;
  readonly #shardId: string;
  readonly #completed: (records: readonly PendingRecord[]) => void;
  readonly #waiting: PendingRecord[] = [];
  readonly #changed = new ConditionVariable();
  #ended = false;
  #isWorking = false;
  /** When records began to wait without an invocation, in milliseconds since 1970. */
  #waitingSince: number | undefined;

  constructor(
    context: EventSourceContext,
    shardId: string,
    completed: (records: readonly PendingRecord[]) => void,
  ) {
    this.#context = context;
    this.#shardId = shardId;
    this.#completed = completed;
    context.stopping.addEventListener('abort', () => this.#changed.notify(), { once: true });
  }

  add(record: PendingRecord): void {
    this.#waiting.push(record);
    if (!this.#isWorking) this.#waitingSince ??= this.#context.clock.now();
    this.#changed.notify();
  }

  /** True while a batch is being invoked or waits for a retry. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** When records began to wait without an invocation; undefined if no records are waiting. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** Signals that no more records will be added. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /** Resolves after the last batch or, if the mapping stops, after the invocation in flight. */
  async run(): Promise<void> {
    for (;;) {
      const batch = await this.#nextBatch();
      if (batch.length === 0) return;
      this.#isWorking = true;
      this.#waitingSince = undefined;
      await new BatchProcessor(this.#context, this.#shardId, batch, this.#completed).run();
      this.#isWorking = false;
      if (this.#waiting.length > 0) this.#waitingSince = this.#context.clock.now();
    }
  }

  /**
   * Waits for the first record, then for a full batch or the end of the batching window. The window starts when the
   * previous batch is done or, if no records wait then, with the first record. Returns an empty batch after the last
   * one, or if the mapping stops.
   */
  async #nextBatch(): Promise<readonly PendingRecord[]> {
    const { clock, settings, stopping, waitForCapacity: turn } = this.#context;
    while (this.#waiting.length === 0 && !this.#ended && !stopping.aborted) {
      await this.#changed.wait();
    }
    const limits = { maxRecords: settings.batchSize, maxBytes: maximumPayloadBytes };
    const startedAt = clock.now();
    while (!stopping.aborted) {
      const { full } = cutBatch(this.#waiting, limits);
      const windowLeft = timeLeft(clock, startedAt, settings.windowMs);
      if (full || this.#ended || windowLeft <= 0) break;
      await this.#changed.waitFor(windowLeft, clock);
    }
    if (this.#waiting.length > 0) await turn();
    if (stopping.aborted) return [];
    return this.#waiting.splice(0, cutBatch(this.#waiting, limits).count);
  }
}
