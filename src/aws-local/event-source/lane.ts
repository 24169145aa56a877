import { hash } from 'node:crypto';
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
 * not add records. A record that exceeds the limits by itself forms a batch alone.
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

/** The lane of a partition key. It is always the same, so that the key's records stay in order. */
export function laneOf(partitionKey: string, lanes: number): number {
  return hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;
}

/**
 * One of the concurrent batches of a shard. Invokes its records in order, one batch at a time. The next batch starts
 * only after the previous one is complete, including retries.
 */
export class Lane {
  readonly #context: EventSourceContext;
  readonly #shardId: string;
  readonly #completed: (records: readonly PendingRecord[]) => void;
  readonly #waiting: PendingRecord[] = [];
  readonly #changed = new ConditionVariable();
  #ended = false;
  #isWorking = false;
  /** The time since which records wait without an invocation, in milliseconds since 1970. */
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

  /** The time since which records wait without an invocation; undefined if none do. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** Signals that no more records will be added. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /** Returns after the last batch or, when stopping, after the invocation in flight. */
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
   * Waits for the first record, then for a full batch or the end of the window. The window starts when the previous
   * batch is done or, if no records wait then, with the first record. The batch contains all records that have arrived
   * by then. Empty at the end.
   */
  async #nextBatch(): Promise<readonly PendingRecord[]> {
    const { clock, settings, stopping, waitForCapacity: turn } = this.#context;
    while (this.#waiting.length === 0 && !this.#ended && !stopping.aborted) {
      await this.#changed.wait();
    }
    const limits = { maxRecords: settings.batchSize, maxBytes: maximumPayloadBytes };
    const windowEnd = clock.now() + settings.windowMs;
    while (!stopping.aborted) {
      const { full } = cutBatch(this.#waiting, limits);
      const windowLeft = windowEnd - clock.now();
      if (full || this.#ended || windowLeft <= 0) break;
      await this.#changed.waitFor(windowLeft, clock);
    }
    if (this.#waiting.length > 0) await turn();
    if (stopping.aborted) return [];
    return this.#waiting.splice(0, cutBatch(this.#waiting, limits).count);
  }
}
