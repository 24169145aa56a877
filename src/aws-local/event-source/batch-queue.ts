import { timeLeft } from '../../common/clock.ts';
import { ConditionVariable } from '../condition-variable.ts';
import type { EventSourceContext } from './options.ts';
import type { PendingRecord } from './shard-progress.ts';

/** The maximum payload of a synchronous Lambda invocation: 6 MB. */
export const maximumPayloadBytes = 6 * 1024 * 1024;

/** The size of the event without its records: `{"Records":[]}`, minus the comma after the last record. */
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
  waiting: Iterable<{ readonly bytes: number }>,
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

/**
 * The records in a lane or a shard that are waiting for an invocation.
 *
 * With `combineLanes`, a batch contains the records of all keys that are not in another batch in progress. A key's
 * records therefore stay in order, and a batch that is slow or fails delays only its own keys. If more records are
 * waiting than fit in a batch, the batch takes all waiting records of one key before the records of the next key. A
 * function that folds a key's records together then needs only one write for them.
 */
export class BatchQueue {
  readonly #context: EventSourceContext;
  readonly #changed = new ConditionVariable();
  /** The waiting records of each key, in shard order. The next batch takes the records of the first keys. */
  readonly #waiting = new Map<string, PendingRecord[]>();
  /** The keys of the batches in progress. */
  readonly #busyKeys = new Set<string>();
  #batchesInProgress = 0;
  /** Resolves when the previous caller has its batch. */
  #previous: Promise<unknown> = Promise.resolve();
  #ended = false;
  #waitingSince: number | undefined;

  constructor(context: EventSourceContext) {
    this.#context = context;
    context.stopping.addEventListener('abort', () => this.#changed.notify(), { once: true });
  }

  /**
   * When records began to wait while no batch was in progress, in milliseconds since 1970; undefined if none are
   * waiting or a batch is in progress.
   */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** True if records are waiting for an invocation. */
  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** True while a batch is in progress. */
  get isWorking(): boolean {
    return this.#batchesInProgress > 0;
  }

  add(record: PendingRecord): void {
    const key = this.#keyOf(record);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [record]);
    else waiting.push(record);
    this.#watchWait();
    this.#changed.notify();
  }

  /** Signals that no more records will be added. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /**
   * Forms the next batch. Callers receive their batches one at a time. Waits for the first record whose key is not in a
   * batch in progress, then for a full batch or the end of the batching window, and then for capacity. Returns an empty
   * batch after the last batch, or if the mapping stops. The caller must pass each non-empty batch to `release`.
   */
  next(): Promise<readonly PendingRecord[]> {
    const next = this.#previous.then(() => this.#form());
    this.#previous = next;
    return next;
  }

  /** Ends a batch so that later batches can contain its keys. */
  release(batch: readonly PendingRecord[]): void {
    for (const record of batch) this.#busyKeys.delete(this.#keyOf(record));
    this.#batchesInProgress -= 1;
    this.#watchWait();
    this.#changed.notify();
  }

  async #form(): Promise<readonly PendingRecord[]> {
    const { clock, settings, stopping, waitForCapacity } = this.#context;
    while (!this.#hasFree && !this.#isOver && !stopping.aborted) await this.#changed.wait();
    const limits = { maxRecords: settings.batchSize, maxBytes: maximumPayloadBytes };
    const startedAt = clock.now();
    while (!stopping.aborted) {
      const { full } = cutBatch(this.#free(), limits);
      const windowLeft = timeLeft(clock, startedAt, settings.windowMs);
      if (full || this.#ended || windowLeft <= 0) break;
      await this.#changed.waitFor(windowLeft, clock);
    }
    if (this.hasWaiting) await waitForCapacity();
    return stopping.aborted ? [] : this.#take(cutBatch(this.#free(), limits).count);
  }

  /** Removes the given number of records whose keys are in no batch, and returns them in shard order. */
  #take(count: number): readonly PendingRecord[] {
    if (count === 0) return [];
    const batch: PendingRecord[] = [];
    for (const [key, waiting] of this.#freeKeys()) {
      const rest = waiting.splice(count - batch.length);
      batch.push(...waiting);
      this.#busyKeys.add(key);
      this.#waiting.delete(key);
      // Move the key to the end so that a key with many records does not delay the other keys.
      if (rest.length > 0) this.#waiting.set(key, rest);
      if (batch.length === count) break;
    }
    this.#batchesInProgress += 1;
    this.#waitingSince = undefined;
    return batch.toSorted((a, b) => a.position - b.position);
  }

  *#free(): Generator<PendingRecord> {
    for (const [, records] of this.#freeKeys()) yield* records;
  }

  /** The keys that are in no batch, with their waiting records. */
  *#freeKeys(): Generator<[string, PendingRecord[]]> {
    for (const entry of this.#waiting) if (!this.#busyKeys.has(entry[0])) yield entry;
  }

  get #hasFree(): boolean {
    return this.#freeKeys().next().done !== true;
  }

  /** True when no batch will follow. */
  get #isOver(): boolean {
    return this.#ended && this.#waiting.size === 0;
  }

  /** Returns the key that determines which records must stay in order. In a lane, all records have the same key. */
  #keyOf({ partitionKey }: PendingRecord): string {
    return this.#context.combineLanes ? partitionKey : '';
  }

  #watchWait(): void {
    if (this.#waiting.size > 0 && !this.isWorking) this.#waitingSince ??= this.#context.clock.now();
  }
}
