import { setMaxListeners } from 'node:events';
import { timeLeft } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { backoffMs } from '../backoff.ts';
import { ConditionVariable } from '../condition-variable.ts';
import { CheckpointWriter } from './checkpoint-writer.ts';
import { createContext, type EventSourceContext, type EventSourceOptions } from './options.ts';
import { ShardConsumer } from './shard-consumer.ts';
import { type Shard, type ShardPosition, startableShards } from './shards.ts';
import { logStalls, type StalledShard } from './stalls.ts';

/**
 * Invokes a function with the records of a Kinesis stream or a table's change stream. Follows the rules of AWS Lambda's
 * event source mappings: delivers the records of a partition key in order, and delivers a record again until the
 * function has processed it or the record is discarded.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
export class EventSourceMapping {
  readonly #context: EventSourceContext;
  readonly #writer: CheckpointWriter;
  readonly #stopping = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #changed = new ConditionVariable();
  readonly #running = new Map<string, RunningShard>();
  readonly #started = new Set<string>();
  readonly #finished = new Set<string>();
  /** The start positions of known shards. A shard without a position is new and is read from its first record. */
  #positions = new Map<string, ShardPosition>();
  readonly #work: Promise<void>[] = [];
  #listingsDone = 0;
  /** The number of finished shards when the latest successful listing was requested. */
  #finishedWhenListed = 0;
  #listingWanted = 0;
  /** When listing the shards began to fail, and the reason; undefined after a successful listing. */
  #listingFailure: StalledShard | undefined;

  /** @throws {EventSourceSettingsError} if AWS would reject the properties or this mapping does not support them. */
  constructor(options: EventSourceOptions) {
    this.#context = createContext(options, this.#stopping.signal, this.#abandoned.signal);
    this.#writer = new CheckpointWriter(this.#context);
    // Every waiting lane adds a listener, so a large number of listeners is not a leak.
    setMaxListeners(0, this.#stopping.signal, this.#abandoned.signal);
  }

  /** Starts reading. Throws if the checkpoints cannot be read. */
  async start(): Promise<void> {
    this.#positions = new Map(await this.#context.checkpoints.load());
    this.#work.push(
      this.#discover(),
      logStalls(this.#context, () => this.stalledShards()),
    );
  }

  /**
   * Starts no new work, waits up to `stopTimeoutMs` for invocations in flight, and saves the checkpoints. Abandons the
   * remaining invocations, whose records are redelivered after the next start.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#changed.notify();
    const waited = new AbortController();
    const ended = Promise.all(this.#work).then(() => this.#writer.waitUntilAllWritten());
    await Promise.race([
      ended,
      this.#context.clock.sleep(this.#context.stopTimeoutMs, waited.signal),
    ]);
    waited.abort();
    this.#abandoned.abort();
  }

  /**
   * Reads a shard immediately instead of at the next poll because records have been put on it. Reads all shards if no
   * shard is given. Also reads all shards if the given shard is not being read yet, because its parents may have ended
   * and must be read to the end first.
   */
  readNow(shardId?: string): void {
    const only = shardId === undefined ? undefined : this.#running.get(shardId);
    if (only) return only.consumer.readNow();
    for (const { consumer } of this.#running.values()) consumer.readToEnd();
  }

  /** Returns the shards that have work but have made no progress for `stalledAfterMs`. */
  stalledShards(): readonly StalledShard[] {
    const { clock, stalledAfterMs } = this.#context;
    const consumers = [...this.#running.values()].map(({ consumer }) => consumer);
    // A shard whose records are waiting for a busy function is not stalled.
    const isBusy = consumers.some(({ isWorking }) => isWorking);
    const pending = consumers.flatMap((consumer) =>
      isBusy && !consumer.isUnreadable ? [] : (consumer.oldestPendingWork() ?? []),
    );
    return [...(this.#listingFailure ? [this.#listingFailure] : []), ...pending].filter(
      ({ since }) => clock.now() - since >= stalledAfterMs,
    );
  }

  /** Resolves when all current records of the stream have been processed, or when the mapping stops. */
  async waitUntilIdle(): Promise<void> {
    for (;;) {
      const listing = this.#listingsDone + 1;
      this.#listingWanted = listing;
      this.#changed.notify();
      while (this.#listingsDone < listing && !this.#stopping.signal.aborted) {
        await this.#changed.wait();
      }
      const running = [...this.#running.values()];
      // If a shard finished after the listing was requested, the listing may lack its children.
      const isComplete = this.#finished.size === this.#finishedWhenListed;
      await Promise.all(running.map(({ consumer }) => consumer.waitUntilCaughtUp()));
      const closed = running.filter(({ consumer }) => consumer.isClosed);
      // The children of the closed shards may have records too.
      await Promise.all(closed.map(({ ended }) => ended));
      if ((isComplete && closed.length === 0) || this.#stopping.signal.aborted) return;
    }
  }

  /**
   * Lists the shards periodically and whenever a shard ends, and starts to read each shard whose parents are finished.
   */
  async #discover(): Promise<void> {
    const { backoff, clock, discoveryIntervalMs, log, random, reader, stopping } = this.#context;
    let failures = 0;
    while (!stopping.aborted) {
      const finished = this.#finished.size;
      try {
        await this.#startShards(await reader.listShards(stopping));
        failures = 0;
        this.#listingFailure = undefined;
        this.#finishedWhenListed = finished;
        this.#listingsDone += 1;
        this.#changed.notify();
      } catch (error) {
        if (stopping.aborted) return;
        failures += 1;
        const reason = `cannot list the shards: ${messageOf(error)}`;
        this.#listingFailure = {
          shardId: null,
          since: clock.now(),
          ...this.#listingFailure,
          reason,
        };
        log(`cannot list the shards; retrying: ${messageOf(error)}`);
        await clock.sleep(backoffMs(failures, backoff, random), stopping);
        continue;
      }
      const listedAt = clock.now();
      const untilNext = (): number => timeLeft(clock, listedAt, discoveryIntervalMs);
      const isDue = (): boolean =>
        this.#finished.size > this.#finishedWhenListed ||
        this.#listingWanted > this.#listingsDone ||
        untilNext() === 0;
      while (!isDue() && !stopping.aborted) {
        await this.#changed.waitFor(untilNext(), clock);
      }
    }
  }

  async #startShards(shards: readonly Shard[]): Promise<void> {
    const ready = startableShards(shards, this.#started, this.#finished);
    const isFirstStart = this.#positions.size === 0 && shards.length > 0;
    if (isFirstStart) await this.#settlePositions(shards, ready);
    if (this.#context.stopping.aborted) return;
    for (const { id } of ready) {
      this.#started.add(id);
      this.#consume(id, this.#positions.get(id) ?? { at: 'TRIM_HORIZON' });
    }
  }

  /**
   * When the mapping starts for the first time, sets the positions of all existing shards to the mapping's starting
   * position. Shards that are created later are read from their first record. `LATEST` means the time of this start,
   * even for a shard that waits for its parents or has no checkpoint after a restart.
   */
  async #settlePositions(shards: readonly Shard[], ready: readonly Shard[]): Promise<void> {
    const { checkpoints, clock, settings } = this.#context;
    const first = settings.startingPosition;
    const lasting: ShardPosition =
      first.at === 'LATEST' ? { at: 'AT_TIMESTAMP', timestamp: clock.now() } : first;
    const positions = new Map(shards.map((shard) => [shard.id, lasting]));
    await checkpoints.save(positions);
    this.#positions = positions;
    for (const shard of ready) this.#positions.set(shard.id, first);
  }

  #consume(shardId: string, position: ShardPosition): void {
    const consumer = new ShardConsumer(this.#context, shardId, position, (sequenceNumber) =>
      this.#writer.advance(shardId, sequenceNumber),
    );
    const ended = this.#toItsEnd(shardId, consumer);
    this.#running.set(shardId, { consumer, ended });
    this.#work.push(ended);
  }

  async #toItsEnd(shardId: string, consumer: ShardConsumer): Promise<void> {
    const isFinished = await consumer.run();
    // A child shard starts only after its parent's checkpoint is written. Otherwise, a restart could process records of
    // the parent after records of the child.
    await this.#writer.waitUntilWritten(shardId);
    this.#running.delete(shardId);
    if (isFinished) this.#finished.add(shardId);
    this.#changed.notify();
  }
}

interface RunningShard {
  readonly consumer: ShardConsumer;
  /** Resolves when the shard is finished, or when the mapping stops. */
  readonly ended: Promise<void>;
}
