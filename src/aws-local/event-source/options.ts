import type { KinesisStreamEvent } from 'aws-lambda';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Backoff } from '../backoff.ts';
import { type Random, systemRandom } from '../random.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { kinesisFormat } from './kinesis-event.ts';
import type { MappingIdentity } from './mapping-identity.ts';
import type { OnFailureDestination } from './on-failure-destination.ts';
import type { RecordFormat, StreamEvent } from './record-format.ts';
import {
  type EventSourceProperties,
  type EventSourceSettings,
  EventSourceSettingsError,
  eventSourceSettings,
} from './settings.ts';
import type { ShardReader } from './shards.ts';

/**
 * The result of an invocation. `functionError` means that the function ran and failed, or that Lambda rejected the
 * payload as too large (413), which a retry of the same batch cannot fix. `throttled` and `unavailable` use no retry.
 */
export type InvocationResult =
  | { readonly kind: 'ok'; readonly response: unknown; readonly requestId?: string }
  | {
      readonly kind: 'functionError';
      readonly functionError: 'Handled' | 'Unhandled';
      readonly message: string;
      readonly requestId?: string;
    }
  | { readonly kind: 'throttled' | 'unavailable'; readonly message: string };

/**
 * Invokes the function and waits for the response. A thrown error counts as `unavailable`. The signal aborts when a
 * stopping mapping abandons its invocations, at the latest after `stopTimeoutMs`. The result is then ignored.
 */
export type Invoke<Event extends StreamEvent = KinesisStreamEvent> = (
  payload: Event,
  signal: AbortSignal,
) => Promise<InvocationResult>;

/**
 * Resolves when an invocation could start immediately. Callers take turns. A batch is formed only then so that it
 * includes the records that arrive while the function is busy.
 */
export type WaitForCapacity = () => Promise<void>;

/** Logs a problem and how the event source handles it. */
export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

export interface EventSourceOptions {
  readonly mapping: MappingIdentity;
  /** The properties of the `AWS::Lambda::EventSourceMapping`. */
  readonly properties: EventSourceProperties;
  readonly reader: ShardReader;
  /** The format of the stream's records. Default: the format of Kinesis. */
  readonly format?: RecordFormat;
  /** Invokes the function with events in the given format. */
  readonly invoke: Invoke<never>;
  /** Resolves when the function has capacity for a batch. Default: resolves immediately, as in AWS. */
  readonly waitForCapacity?: WaitForCapacity;
  readonly checkpoints: CheckpointStore;
  /**
   * Forms batches from all of a shard's records whose keys are not in another batch, instead of distributing the keys
   * across lanes as AWS does. If the function has few environments, batches are then larger, and each waits for fewer
   * other batches. Default: false.
   */
  readonly combineLanes?: boolean;
  /**
   * The destination to which `DestinationConfig.OnFailure` refers. Required if the properties contain a destination.
   */
  readonly destination?: OnFailureDestination;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The wait between reads of an idle shard, in milliseconds. AWS: 1,000 for Kinesis. Default: 50. */
  readonly pollIntervalMs?: number;
  /**
   * The minimum interval between reads of a shard, in milliseconds, while newly read records would only wait for a
   * batch in progress or for the end of the batching window. AWS: 200, because of its quota of 5 reads per second.
   * Default: 0.
   */
  readonly minimumReadIntervalMs?: number;
  /**
   * The interval at which the shards are listed, in milliseconds. The end of a shard also triggers a listing. Default:
   * 5,000.
   */
  readonly discoveryIntervalMs?: number;
  /** The minimum interval between writes of the checkpoints, in milliseconds. Default: 0. */
  readonly checkpointIntervalMs?: number;
  /** The waits between retries. Default: 200 ms, doubling up to 30 s. */
  readonly backoff?: Backoff;
  /**
   * The maximum number of a shard's records to read beyond its checkpoint. Default: two full batches for each lane, and
   * at least 10,000.
   */
  readonly readAheadRecords?: number;
  /** How long `stop` waits for invocations in flight, in milliseconds. Default: 10,000. */
  readonly stopTimeoutMs?: number;
}

/**
 * The settings and dependencies that all parts of an event source share. For times and limits, see
 * `EventSourceOptions`.
 */
export interface EventSourceContext {
  readonly mapping: MappingIdentity;
  readonly settings: EventSourceSettings;
  readonly reader: ShardReader;
  readonly format: RecordFormat;
  readonly invoke: Invoke<StreamEvent>;
  readonly waitForCapacity: WaitForCapacity;
  readonly destination: OnFailureDestination | undefined;
  readonly checkpoints: CheckpointStore;
  readonly combineLanes: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The wait between reads of an idle shard, in milliseconds. */
  readonly pollIntervalMs: number;
  /** The minimum interval between reads of a shard while newly read records would only wait, in milliseconds. */
  readonly minimumReadIntervalMs: number;
  /** The maximum interval between listings of the shards, in milliseconds. */
  readonly discoveryIntervalMs: number;
  /** The minimum interval between writes of the checkpoints, in milliseconds. */
  readonly checkpointIntervalMs: number;
  readonly backoff: Backoff;
  /** The maximum number of a shard's records to read beyond its checkpoint. */
  readonly readAheadRecords: number;
  /** How long a shard can go without progress before it counts as stalled, in milliseconds. */
  readonly stalledAfterMs: number;
  /** How long `stop` waits for work in flight, in milliseconds. */
  readonly stopTimeoutMs: number;
  /** Aborted when no new work may start. */
  readonly stopping: AbortSignal;
  /** Aborted when work in flight is abandoned. */
  readonly abandoned: AbortSignal;
}

/**
 * Applies defaults to the options and converts the properties to settings.
 *
 * @throws {EventSourceSettingsError} if AWS would reject the properties or the local mapping does not support them.
 */
export function createContext(
  options: EventSourceOptions,
  stopping: AbortSignal,
  abandoned: AbortSignal,
): EventSourceContext {
  const clock = options.clock ?? systemClock;
  const { format = kinesisFormat } = options;
  const settings = eventSourceSettings(options.properties, clock.now(), format);
  if (settings.hasDestination && options.destination === undefined) {
    throw new EventSourceSettingsError(
      'DestinationConfig: the destination does not exist on this machine',
    );
  }
  const batches = 2 * settings.parallelizationFactor * settings.batchSize;
  return {
    mapping: options.mapping,
    settings,
    reader: options.reader,
    format,
    invoke: options.invoke as Invoke<StreamEvent>,
    waitForCapacity: options.waitForCapacity ?? (async () => {}),
    destination: settings.hasDestination ? options.destination : undefined,
    checkpoints: options.checkpoints,
    // A single lane keeps the order of all records in a shard, on which a function can rely.
    combineLanes: options.combineLanes === true && settings.parallelizationFactor > 1,
    clock,
    random: options.random ?? systemRandom,
    log: options.log,
    pollIntervalMs: options.pollIntervalMs ?? 50,
    minimumReadIntervalMs: options.minimumReadIntervalMs ?? 0,
    discoveryIntervalMs: options.discoveryIntervalMs ?? 5000,
    checkpointIntervalMs: options.checkpointIntervalMs ?? 0,
    backoff: options.backoff ?? { firstMs: 200, maxMs: 30_000 },
    readAheadRecords: options.readAheadRecords ?? Math.max(10_000, batches),
    stalledAfterMs: 60_000 + settings.windowMs,
    stopTimeoutMs: options.stopTimeoutMs ?? 10_000,
    stopping,
    abandoned,
  };
}
