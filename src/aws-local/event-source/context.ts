import type { Clock } from '../../common/clock.ts';
import type { Backoff } from '../backoff.ts';
import type { Random } from '../random.ts';
import type { Mapping } from './mapping.ts';
import type { CheckpointStore, Destination, Invoke, Log, ShardReader, Turn } from './ports.ts';
import type { EventSourceSettings } from './settings.ts';

/** What every part of one event source works with. */
export interface Context {
  readonly mapping: Mapping;
  readonly settings: EventSourceSettings;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  readonly turn: Turn;
  readonly destination: Destination | undefined;
  readonly checkpoints: CheckpointStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The pause before a shard is read again that had nothing to read. */
  readonly pollIntervalMs: number;
  /** A shard is not read more often than this. */
  readonly leastReadIntervalMs: number;
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
