import type { KinesisStreamEvent } from 'aws-lambda';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Backoff } from '../backoff.ts';
import { type Random, systemRandom } from '../random.ts';
import type { CheckpointStore } from './checkpoints.ts';
import type { OnFailureDestination } from './on-failure-destination.ts';
import {
  type EventSourceProperties,
  type EventSourceSettings,
  EventSourceSettingsError,
  eventSourceSettings,
} from './settings.ts';
import type { ShardReader } from './shards.ts';

/** What an event source mapping joins: a stream and a function, under a name of its own. */
export interface MappingIdentity {
  /** The mapping's own id; it names the folder of its discarded batches. */
  readonly uuid: string;
  readonly streamArn: string;
  readonly functionArn: string;
  /** The function's role, told to the function as `invokeIdentityArn`. */
  readonly roleArn: string;
}

/**
 * How an invocation ended. Only `functionError` says that the function ran and failed; a payload
 * that Lambda refuses for good (413) counts as one too, because trying again cannot help.
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
 * Invokes the function and waits for its answer. What it throws counts as `unavailable`. The signal
 * aborts when a stop has waited long enough; the result is then no longer looked at.
 */
export type Invoke = (
  payload: KinesisStreamEvent,
  signal: AbortSignal,
) => Promise<InvocationResult>;

/**
 * Resolves when an invocation would run at once, to one who waits at a time. A batch is made only
 * then: where the function is busy, what comes meanwhile is in it.
 */
export type WaitForCapacity = () => Promise<void>;

/** Says to the operator what went wrong and what is done about it. */
export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

export interface EventSourceOptions {
  readonly mapping: MappingIdentity;
  /** The properties of the `AWS::Lambda::EventSourceMapping`. */
  readonly properties: EventSourceProperties;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  /** Default: always at once, as in AWS. */
  readonly waitForCapacity?: WaitForCapacity;
  readonly checkpoints: CheckpointStore;
  /** Stands for what `DestinationConfig.OnFailure` names, and is required with it. */
  readonly destination?: OnFailureDestination;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The pause before a shard is read again that had nothing to read; AWS: 1,000. Default 50. */
  readonly pollIntervalMs?: number;
  /** A shard is read no more often than this; AWS: 200, by its quota of 5 reads a second. Default 0. */
  readonly minimumReadIntervalMs?: number;
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

/** What every part of one event source works with. */
export interface EventSourceContext {
  readonly mapping: MappingIdentity;
  readonly settings: EventSourceSettings;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  readonly waitForCapacity: WaitForCapacity;
  readonly destination: OnFailureDestination | undefined;
  readonly checkpoints: CheckpointStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The pause before a shard is read again that had nothing to read. */
  readonly pollIntervalMs: number;
  /** A shard is not read more often than this. */
  readonly minimumReadIntervalMs: number;
  /** The longest pause before shards are looked for again. */
  readonly discoveryIntervalMs: number;
  /** Between retries of whatever failed. */
  readonly backoff: Backoff;
  /** The most records of a shard that are read beyond its checkpoint. */
  readonly readAheadRecords: number;
  /** A shard that makes no progress for this long is reported. */
  readonly stalledAfterMs: number;
  /** How long a stop waits for what is under way. */
  readonly stopTimeoutMs: number;
  /** Aborts when nothing new may begin. */
  readonly stopping: AbortSignal;
  /** Aborts when what is still under way is given up. */
  readonly abandoned: AbortSignal;
}

/**
 * The options with their defaults, and the properties as settings.
 *
 * @throws {EventSourceSettingsError} when AWS would refuse the properties
 */
export function createContext(
  options: EventSourceOptions,
  stopping: AbortSignal,
  abandoned: AbortSignal,
): EventSourceContext {
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
    waitForCapacity: options.waitForCapacity ?? (async () => {}),
    destination: settings.hasDestination ? options.destination : undefined,
    checkpoints: options.checkpoints,
    clock,
    random: options.random ?? systemRandom,
    log: options.log,
    pollIntervalMs: options.pollIntervalMs ?? 50,
    minimumReadIntervalMs: options.minimumReadIntervalMs ?? 0,
    discoveryIntervalMs: options.discoveryIntervalMs ?? 5000,
    backoff: options.backoff ?? { firstMs: 200, maxMs: 30_000 },
    readAheadRecords: options.readAheadRecords ?? Math.max(10_000, batches),
    stalledAfterMs: options.stalledAfterMs ?? 60_000 + settings.windowMs,
    stopTimeoutMs: options.stopTimeoutMs ?? 10_000,
    stopping,
    abandoned,
  };
}
