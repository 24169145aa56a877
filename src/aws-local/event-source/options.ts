import { type Clock, systemClock } from '../../common/clock.ts';
import type { Backoff } from '../backoff.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Context } from './context.ts';
import type { Mapping } from './mapping.ts';
import type { CheckpointStore, Destination, Invoke, Log, ShardReader, Turn } from './ports.ts';
import {
  type EventSourceProperties,
  EventSourceSettingsError,
  eventSourceSettings,
} from './settings.ts';

export interface EventSourceOptions {
  readonly mapping: Mapping;
  /** The properties of the `AWS::Lambda::EventSourceMapping`. */
  readonly properties: EventSourceProperties;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  /** Default: always at once, as in AWS. */
  readonly turn?: Turn;
  readonly checkpoints: CheckpointStore;
  /** Stands for what `DestinationConfig.OnFailure` names, and is required with it. */
  readonly destination?: Destination;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The pause before a shard is read again that had nothing to read; AWS: 1,000. Default 50. */
  readonly pollIntervalMs?: number;
  /** A shard is read no more often than this; AWS: 200, by its quota of 5 reads a second. Default 0. */
  readonly leastReadIntervalMs?: number;
  /** How often new shards are looked for, beside at the end of each shard. Default 5,000. */
  readonly discoveryIntervalMs?: number;
  /** Pauses between retries. Default 200, doubling up to 30,000. */
  readonly backoff?: Backoff;
  /** The most records of a shard that are read beyond its checkpoint. Default: two full batches
   * for each lane, and at least 10,000. */
  readonly readAheadRecords?: number;
  /** A shard that makes no progress for this long is reported. Default: 60,000 and the batching window. */
  readonly stalledAfterMs?: number;
  /** How long `stop` waits for invocations under way. Default 10,000. */
  readonly stopTimeoutMs?: number;
}

/**
 * The options with their defaults, and the properties as settings.
 *
 * @throws {EventSourceSettingsError} when AWS would refuse the properties
 */
export function contextOf(
  options: EventSourceOptions,
  stopping: AbortSignal,
  abandoned: AbortSignal,
): Context {
  const clock = options.clock ?? systemClock;
  const settings = eventSourceSettings(options.properties, clock.now());
  if (settings.hasDestination && options.destination === undefined) {
    throw new EventSourceSettingsError('DestinationConfig: no such destination here');
  }
  const batches = 2 * settings.parallelizationFactor * settings.batchSize;
  return {
    mapping: options.mapping,
    settings,
    reader: options.reader,
    invoke: options.invoke,
    turn: options.turn ?? (async () => {}),
    destination: settings.hasDestination ? options.destination : undefined,
    checkpoints: options.checkpoints,
    clock,
    random: options.random ?? systemRandom,
    log: options.log,
    pollIntervalMs: options.pollIntervalMs ?? 50,
    leastReadIntervalMs: options.leastReadIntervalMs ?? 0,
    discoveryIntervalMs: options.discoveryIntervalMs ?? 5000,
    backoff: options.backoff ?? { firstMs: 200, maxMs: 30_000 },
    readAheadRecords: options.readAheadRecords ?? Math.max(10_000, batches),
    stalledAfterMs: options.stalledAfterMs ?? 60_000 + settings.windowMs,
    stopTimeoutMs: options.stopTimeoutMs ?? 10_000,
    stopping,
    abandoned,
  };
}
