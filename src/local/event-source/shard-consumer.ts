import { messageOf } from '../../core/errors.ts';
import { backoffMs } from './backoff.ts';
import { MAX_PAYLOAD_BYTES } from './batch.ts';
import type { Context } from './context.ts';
import { eventBytes } from './kinesis-event.ts';
import { Lane, laneOf } from './lane.ts';
import type { ShardCursor, ShardPage, ShardPosition } from './ports.ts';
import { type Pending, Progress } from './progress.ts';
import { Wakeup } from './wakeup.ts';

/** The most records that one GetRecords call gives. */
const MAX_PAGE_RECORDS = 10_000;

/** Reads one shard from a position to its end, and spreads its records over lanes. */
export class ShardConsumer {
  readonly #context: Context;
  readonly #shardId: string;
  readonly #cursor: ShardCursor;
  readonly #checkpointMoved: (sequenceNumber: string) => void;
  readonly #lanes: readonly Lane[];
  readonly #progress = new Progress();
  readonly #changed = new Wakeup();
  #closed = false;
  #readsBegun = 0;
  /** The read until which no pause is made. */
  #readWanted = 0;
  /** The latest read that found nothing more on the shard. */
  #readToTip = 0;

  constructor(
    context: Context,
    shardId: string,
    position: ShardPosition,
    checkpointMoved: (sequenceNumber: string) => void,
  ) {
    this.#context = context;
    this.#shardId = shardId;
    this.#cursor = context.reader.open(shardId, position);
    this.#checkpointMoved = checkpointMoved;
    this.#lanes = Array.from(
      { length: context.settings.parallelizationFactor },
      () => new Lane(context, shardId, (records) => this.#complete(records)),
    );
    context.stopping.addEventListener('abort', () => this.#changed.notify(), { once: true });
  }

  /** True: the shard is at its end and all of it is processed. False: a stop came first. */
  async run(): Promise<boolean> {
    const lanes = this.#lanes.map((lane) => lane.run());
    await this.#readAll();
    for (const lane of this.#lanes) lane.end();
    await Promise.all(lanes);
    return this.#closed && this.#progress.span === 0;
  }

  /** The end of the shard has been read. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Reads again at once, and not at the next poll. */
  readNow(): void {
    this.#readWanted = this.#readsBegun + 1;
    this.#changed.notify();
  }

  /** Resolves when all that is on the shard now is read and processed, or at a stop. */
  async caughtUp(): Promise<void> {
    this.readNow();
    const read = this.#readWanted;
    const isCaughtUp = (): boolean =>
      (this.#closed || this.#readToTip >= read) && this.#progress.span === 0;
    while (!isCaughtUp() && !this.#context.stopping.aborted) await this.#changed.wait();
  }

  async #readAll(): Promise<void> {
    const { clock, leastReadIntervalMs, pollIntervalMs, stopping } = this.#context;
    for (let readAt = Number.NEGATIVE_INFINITY; ; ) {
      const early = readAt + leastReadIntervalMs - clock.now();
      if (early > 0) await clock.sleep(early, stopping);
      await this.#room();
      readAt = clock.now();
      const page = await this.#nextPage();
      if (page === undefined || stopping.aborted) return;
      this.#accept(page);
      const isAtTip = page.records.length === 0 && page.millisBehindLatest === 0;
      if (isAtTip) this.#readToTip = this.#readsBegun;
      this.#changed.notify();
      if (page.closed) return;
      if (!isAtTip) continue;
      const pollAt = clock.now() + pollIntervalMs;
      while (this.#readWanted <= this.#readsBegun && clock.now() < pollAt && !stopping.aborted) {
        await this.#changed.waitAtMost(pollAt - clock.now(), clock);
      }
    }
  }

  /** Waits while as much is read ahead of the checkpoint as may be. */
  async #room(): Promise<void> {
    while (this.#roomLeft() <= 0 && !this.#context.stopping.aborted) await this.#changed.wait();
  }

  #roomLeft(): number {
    const { readAheadRecords, settings } = this.#context;
    const maxBytes = 2 * MAX_PAYLOAD_BYTES * settings.parallelizationFactor;
    return this.#progress.bytes < maxBytes ? readAheadRecords - this.#progress.span : 0;
  }

  /** Tries until a page is read; undefined at a stop. */
  async #nextPage(): Promise<ShardPage | undefined> {
    const { backoff, clock, log, random, stopping } = this.#context;
    for (let failures = 1; !stopping.aborted; failures += 1) {
      this.#readsBegun += 1;
      try {
        return await this.#cursor.read(Math.min(this.#roomLeft(), MAX_PAGE_RECORDS), stopping);
      } catch (error) {
        if (stopping.aborted) return undefined;
        log(`shard cannot be read, will be tried again: ${messageOf(error)}`, {
          shardId: this.#shardId,
        });
        await clock.sleep(backoffMs(failures, backoff, random), stopping);
      }
    }
    return undefined;
  }

  #accept(page: ShardPage): void {
    const { mapping } = this.#context;
    const records = page.records.map((record) => ({
      ...record,
      bytes: eventBytes(record, this.#shardId, mapping),
    }));
    this.#progress.add(records);
    for (const record of records) {
      this.#lanes[laneOf(record.partitionKey, this.#lanes.length)]?.add(record);
    }
    this.#closed = page.closed;
  }

  #complete(records: readonly Pending[]): void {
    const checkpoint = this.#progress.complete(records);
    if (checkpoint !== undefined) this.#checkpointMoved(checkpoint);
    this.#changed.notify();
  }
}
