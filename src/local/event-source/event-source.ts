import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import { CheckpointWriter } from './checkpoint-writer.ts';
import type { Context } from './context.ts';
import { startable } from './lineage.ts';
import type { Mapping } from './mapping.ts';
import type {
  CheckpointStore,
  Destination,
  Invoke,
  Log,
  Shard,
  ShardPosition,
  ShardReader,
} from './ports.ts';
import { type Random, systemRandom } from './random.ts';
import {
  type EventSourceProperties,
  EventSourceSettingsError,
  eventSourceSettings,
} from './settings.ts';
import { ShardConsumer } from './shard-consumer.ts';
import { Wakeup } from './wakeup.ts';

export interface EventSourceOptions {
  readonly mapping: Mapping;
  /** The properties of the `AWS::Lambda::EventSourceMapping`. */
  readonly properties: EventSourceProperties;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  readonly checkpoints: CheckpointStore;
  /** Stands for what `DestinationConfig.OnFailure` names, and is required with it. */
  readonly destination?: Destination;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The pause before a shard is read again that had nothing to read; AWS: 1,000. Default 50. */
  readonly pollIntervalMs?: number;
  /** How often new shards are looked for, beside at the end of each shard. Default 5,000. */
  readonly discoveryIntervalMs?: number;
  /** Pauses between retries. Default 200, doubling up to 30,000. */
  readonly backoff?: Backoff;
  /** The most records of a shard that are read beyond its checkpoint. Default: two full batches
   * for each lane, and at least 10,000. */
  readonly readAheadRecords?: number;
  /** How long `stop` waits for invocations under way. Default 10,000. */
  readonly stopTimeoutMs?: number;
}

/**
 * Invokes a function with the records of a Kinesis stream, by the rules by which AWS Lambda's event
 * source mappings do it: every record at least once, the records of a partition key in order.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
export class EventSource {
  readonly #context: Context;
  readonly #checkpoints: CheckpointStore;
  readonly #writer: CheckpointWriter;
  readonly #discoveryIntervalMs: number;
  readonly #stopTimeoutMs: number;
  readonly #stopping = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #changed = new Wakeup();
  readonly #running = new Map<string, Running>();
  readonly #started = new Set<string>();
  readonly #finished = new Set<string>();
  /** Where shards start that have a position; others are new on the stream. */
  #positions = new Map<string, ShardPosition>();
  readonly #work: Promise<void>[] = [];
  #listingsDone = 0;
  #listingWanted = 0;

  /** @throws {EventSourceSettingsError} when AWS would refuse the properties */
  constructor(options: EventSourceOptions) {
    const clock = options.clock ?? systemClock;
    const settings = eventSourceSettings(options.properties, clock.now());
    if (settings.hasDestination && options.destination === undefined) {
      throw new EventSourceSettingsError('DestinationConfig: no such destination here');
    }
    const lanes = settings.parallelizationFactor;
    this.#context = {
      mapping: options.mapping,
      settings,
      reader: options.reader,
      invoke: options.invoke,
      destination: settings.hasDestination ? options.destination : undefined,
      clock,
      random: options.random ?? systemRandom,
      log: options.log,
      pollIntervalMs: options.pollIntervalMs ?? 50,
      backoff: options.backoff ?? { firstMs: 200, maxMs: 30_000 },
      readAheadRecords:
        options.readAheadRecords ?? Math.max(10_000, 2 * lanes * settings.batchSize),
      stopping: this.#stopping.signal,
      abandoned: this.#abandoned.signal,
    };
    this.#checkpoints = options.checkpoints;
    this.#writer = new CheckpointWriter(options.checkpoints, this.#context);
    this.#discoveryIntervalMs = options.discoveryIntervalMs ?? 5000;
    this.#stopTimeoutMs = options.stopTimeoutMs ?? 10_000;
    // Each pause of each lane listens; that is no leak.
    setMaxListeners(0, this.#stopping.signal, this.#abandoned.signal);
  }

  /** Begins to read, unless the mapping is not enabled. Throws when there are no checkpoints to be had. */
  async start(): Promise<void> {
    if (!this.#context.settings.enabled) return;
    this.#positions = new Map(await this.#checkpoints.load());
    this.#work.push(this.#discover());
  }

  /**
   * Begins nothing new, waits for invocations under way up to the bound, and saves the checkpoints.
   * What then is still under way is given up, and comes again after the next start.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#changed.notify();
    const waited = new AbortController();
    const ended = Promise.all(this.#work).then(() => this.#writer.allWritten());
    await Promise.race([ended, this.#context.clock.sleep(this.#stopTimeoutMs, waited.signal)]);
    waited.abort();
    this.#abandoned.abort();
  }

  /** Resolves when all that is on the stream now is read and processed, or at a stop. */
  async idle(): Promise<void> {
    if (!this.#context.settings.enabled) return;
    for (;;) {
      const listing = this.#listingsDone + 1;
      this.#listingWanted = listing;
      this.#changed.notify();
      while (this.#listingsDone < listing && !this.#stopping.signal.aborted) {
        await this.#changed.wait();
      }
      const running = [...this.#running.values()];
      await Promise.all(running.map(({ consumer }) => consumer.caughtUp()));
      const closed = running.filter(({ consumer }) => consumer.isClosed);
      // Their children may have records too.
      await Promise.all(closed.map(({ ended }) => ended));
      if (closed.length === 0 || this.#stopping.signal.aborted) return;
    }
  }

  /** Looks for shards that may start: at a shard's end, and from time to time. */
  async #discover(): Promise<void> {
    const { backoff, clock, log, random, reader, stopping } = this.#context;
    let failures = 0;
    while (!stopping.aborted) {
      const seen = this.#finished.size;
      try {
        await this.#startShards(await reader.listShards(stopping));
        failures = 0;
        this.#listingsDone += 1;
        this.#changed.notify();
      } catch (error) {
        if (stopping.aborted) return;
        failures += 1;
        log(`shards cannot be listed, will be tried again: ${messageOf(error)}`);
        await clock.sleep(backoffMs(failures, backoff, random), stopping);
        continue;
      }
      const listAt = clock.now() + this.#discoveryIntervalMs;
      const isDue = (): boolean =>
        this.#finished.size > seen ||
        this.#listingWanted > this.#listingsDone ||
        clock.now() >= listAt;
      while (!isDue() && !stopping.aborted) {
        await this.#changed.waitAtMost(listAt - clock.now(), clock);
      }
    }
  }

  async #startShards(shards: readonly Shard[]): Promise<void> {
    const ready = startable(shards, this.#started, this.#finished);
    const isFirstStart = this.#positions.size === 0 && shards.length > 0;
    if (isFirstStart) await this.#settlePositions(shards, ready);
    if (this.#context.stopping.aborted) return;
    for (const { id } of ready) {
      this.#started.add(id);
      this.#consume(id, this.#positions.get(id) ?? { at: 'TRIM_HORIZON' });
    }
  }

  /**
   * The shards on the stream at the very first start begin at the starting position, those that
   * come later with their first record. LATEST means the time of this start, also for a shard that
   * has to wait for its parents and for one that a restart finds without a checkpoint.
   */
  async #settlePositions(shards: readonly Shard[], ready: readonly Shard[]): Promise<void> {
    const { clock, settings } = this.#context;
    const first = settings.startingPosition;
    const lasting: ShardPosition =
      first.at === 'LATEST' ? { at: 'AT_TIMESTAMP', timestamp: clock.now() } : first;
    const positions = new Map(shards.map((shard) => [shard.id, lasting]));
    await this.#checkpoints.save(positions);
    this.#positions = positions;
    for (const shard of ready) this.#positions.set(shard.id, first);
  }

  #consume(shardId: string, position: ShardPosition): void {
    const consumer = new ShardConsumer(this.#context, shardId, position, (sequenceNumber) =>
      this.#writer.moved(shardId, sequenceNumber),
    );
    const ended = this.#toItsEnd(shardId, consumer);
    this.#running.set(shardId, { consumer, ended });
    this.#work.push(ended);
  }

  async #toItsEnd(shardId: string, consumer: ShardConsumer): Promise<void> {
    const isFinished = await consumer.run();
    // A child must not get ahead of its parent's checkpoint, lest a restart turn their order round.
    await this.#writer.written(shardId);
    this.#running.delete(shardId);
    if (isFinished) this.#finished.add(shardId);
    this.#changed.notify();
  }
}

interface Running {
  readonly consumer: ShardConsumer;
  /** Settles when the shard is finished, or at a stop. */
  readonly ended: Promise<void>;
}
