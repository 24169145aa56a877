import { timeLeft } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { backoffMs } from '../backoff.ts';
import { ConditionVariable } from '../condition-variable.ts';
import { BatchProcessor } from './batch-processor.ts';
import { BatchQueue, maximumPayloadBytes } from './batch-queue.ts';
import { laneOf } from './lane-of.ts';
import type { EventSourceContext } from './options.ts';
import { type PendingRecord, ShardProgress } from './shard-progress.ts';
import type { ShardCursor, ShardPage, ShardPosition } from './shards.ts';
import type { StalledShard } from './stalls.ts';

/**
 * The maximum number of records per GetRecords call. A record can take up to 1 MB, and a whole page is in memory at
 * once.
 */
const maximumPageRecords = 1_000;

/**
 * How many reads it takes, after the last record, to find the end of a closed shard. kinesalite reports the end only if
 * the iterator is newer than the end, and only with an empty page.
 */
const readsToEnd = 3;

/** Reads a shard from a position to its end, and processes its records in batches. */
export class ShardConsumer {
  readonly #context: EventSourceContext;
  readonly #shardId: string;
  readonly #cursor: ShardCursor;
  readonly #checkpointMoved: (sequenceNumber: string) => void;
  /** One queue per lane, or a single queue with `combineLanes`. */
  readonly #queues: readonly BatchQueue[];
  readonly #progress = new ShardProgress();
  readonly #changed = new ConditionVariable();
  #closed = false;
  #recordsRead = 0;
  #readsBegun = 0;
  /** The number of the last read that starts without waiting for the poll interval. */
  #readWanted = readsToEnd;
  /** The number of the latest read that found no more records after its page. */
  #readToTip = 0;
  #lastReadAt: number;
  /** The error of the latest read; undefined if it succeeded. */
  #readFailure: string | undefined;

  constructor(
    context: EventSourceContext,
    shardId: string,
    position: ShardPosition,
    checkpointMoved: (sequenceNumber: string) => void,
  ) {
    this.#context = context;
    this.#shardId = shardId;
    this.#cursor = context.reader.open(shardId, position);
    this.#checkpointMoved = checkpointMoved;
    this.#lastReadAt = context.clock.now();
    const queues = context.combineLanes ? 1 : context.settings.parallelizationFactor;
    this.#queues = Array.from({ length: queues }, () => new BatchQueue(context));
    context.stopping.addEventListener('abort', () => this.#changed.notify(), { once: true });
  }

  /**
   * Resolves to true when the shard has ended and all its records have been processed, or to false if the mapping
   * stops.
   */
  async run(): Promise<boolean> {
    const concurrency = this.#context.settings.parallelizationFactor / this.#queues.length;
    const batches = this.#queues.flatMap((queue) =>
      Array.from({ length: concurrency }, () => this.#processBatches(queue)),
    );
    await this.#readAll();
    for (const queue of this.#queues) queue.end();
    await Promise.all(batches);
    return this.#closed && this.#progress.pendingRecords === 0;
  }

  /** True when the end of the shard has been read. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** True while the function is being invoked with records of the shard, or a retry is scheduled. */
  get isWorking(): boolean {
    return this.#queues.some((queue) => queue.isWorking);
  }

  /** True if the latest read failed. */
  get isUnreadable(): boolean {
    return this.#readFailure !== undefined;
  }

  /** Returns the oldest work that makes no progress, even if it has only just arrived. */
  oldestPendingWork(): StalledShard | undefined {
    const shardId = this.#shardId;
    if (this.#readFailure !== undefined)
      return {
        shardId,
        since: this.#lastReadAt,
        reason: `the shard cannot be read: ${this.#readFailure}`,
      };
    const waiting = this.#queues.flatMap(({ waitingSince }) => waitingSince ?? []);
    if (waiting.length > 0) {
      const reason = 'the shard has records, but no invocation processes them';
      return { shardId, since: Math.min(...waiting), reason };
    }
    if (this.#closed) return undefined;
    return { shardId, since: this.#lastReadAt, reason: 'the shard is not being read' };
  }

  /** Reads immediately instead of at the next poll. */
  readNow(): void {
    this.#wantReads(1);
  }

  /** Reads immediately, enough times to find the end of the shard if it is closed and its records have been read. */
  readToEnd(): void {
    this.#wantReads(readsToEnd);
  }

  #wantReads(count: number): void {
    this.#readWanted = Math.max(this.#readWanted, this.#readsBegun + count);
    this.#changed.notify();
  }

  /** Resolves when all current records of the shard have been processed, or when the mapping stops. */
  async waitUntilCaughtUp(): Promise<void> {
    const read = this.#readsBegun + 1;
    this.readNow();
    const isCaughtUp = (): boolean =>
      (this.#closed || this.#readToTip >= read) && this.#progress.pendingRecords === 0;
    while (!isCaughtUp() && !this.#context.stopping.aborted) await this.#changed.wait();
  }

  /**
   * Processes batches from a queue sequentially. Resolves after the last batch or, if the mapping stops, after the
   * invocation in flight.
   */
  async #processBatches(queue: BatchQueue): Promise<void> {
    const completed = (records: readonly PendingRecord[]): void => this.#complete(records);
    for (;;) {
      const batch = await queue.next();
      if (batch.length === 0) return;
      await new BatchProcessor(this.#context, this.#shardId, batch, completed).run();
      queue.release(batch);
      this.#changed.notify();
    }
  }

  async #readAll(): Promise<void> {
    const { clock, minimumReadIntervalMs, pollIntervalMs, stopping } = this.#context;
    let isAtTip = false;
    for (let readAt = Number.NEGATIVE_INFINITY; ; ) {
      const early = (): number => timeLeft(clock, readAt, minimumReadIntervalMs);
      while (isAtTip && this.#recordsWouldWait && early() > 0 && !stopping.aborted) {
        await this.#changed.waitFor(early(), clock);
      }
      await this.#room();
      readAt = clock.now();
      const page = await this.#nextPage();
      if (page === undefined || stopping.aborted) return;
      this.#accept(page);
      ({ isAtTip } = page);
      if (isAtTip) this.#readToTip = this.#readsBegun;
      this.#changed.notify();
      if (page.closed) return;
      if (!isAtTip) continue;
      const emptyAt = clock.now();
      const untilPoll = (): number => timeLeft(clock, emptyAt, pollIntervalMs);
      while (this.#readWanted <= this.#readsBegun && untilPoll() > 0 && !stopping.aborted) {
        await this.#changed.waitFor(untilPoll(), clock);
      }
    }
  }

  /** True if a newly read record would have to wait: for a batch, for capacity, or for the batching window to end. */
  get #recordsWouldWait(): boolean {
    const { windowMs } = this.#context.settings;
    return windowMs > 0 || this.#queues.some((queue) => queue.isWorking || queue.hasWaiting);
  }

  /** Waits until more records can be read without exceeding the limits on pending records and bytes. */
  async #room(): Promise<void> {
    while (this.#roomLeft() <= 0 && !this.#context.stopping.aborted) await this.#changed.wait();
  }

  #roomLeft(): number {
    const { readAheadRecords, settings } = this.#context;
    const maxBytes = 2 * maximumPayloadBytes * settings.parallelizationFactor;
    return this.#progress.pendingBytes < maxBytes
      ? readAheadRecords - this.#progress.pendingRecords
      : 0;
  }

  /** Retries until a page is read. Returns undefined if the mapping stops. */
  async #nextPage(): Promise<ShardPage | undefined> {
    const { backoff, clock, log, random, stopping } = this.#context;
    for (let failures = 1; !stopping.aborted; failures += 1) {
      this.#readsBegun += 1;
      try {
        const limit = Math.min(this.#roomLeft(), maximumPageRecords);
        const page = await this.#cursor.read(limit, stopping);
        this.#lastReadAt = clock.now();
        this.#readFailure = undefined;
        return page;
      } catch (error) {
        if (stopping.aborted) return undefined;
        this.#readFailure = messageOf(error);
        log(`cannot read the shard; retrying: ${messageOf(error)}`, {
          shardId: this.#shardId,
        });
        await clock.sleep(backoffMs(failures, backoff, random), stopping);
      }
    }
    return undefined;
  }

  #accept(page: ShardPage): void {
    const { format, mapping, settings } = this.#context;
    const records = page.records.map((record) => ({
      ...record,
      position: this.#recordsRead++,
      bytes: format.recordBytes(record, this.#shardId, mapping),
    }));
    this.#progress.add(records);
    const filtered: PendingRecord[] = [];
    for (const record of records) {
      const isWanted = settings.matches?.(format.filterable?.(record)) ?? true;
      if (isWanted) this.#queues[laneOf(record.partitionKey, this.#queues.length)]?.add(record);
      else filtered.push(record);
    }
    if (filtered.length > 0) this.#complete(filtered);
    this.#closed = page.closed;
  }

  #complete(records: readonly PendingRecord[]): void {
    const checkpoint = this.#progress.complete(records);
    if (checkpoint !== undefined) this.#checkpointMoved(checkpoint);
    this.#changed.notify();
  }
}
