import type { Clock } from '../../core/clock.ts';
import type { Backoff } from './backoff.ts';
import type { Mapping } from './mapping.ts';
import type { Destination, Invoke, Log, ShardReader } from './ports.ts';
import type { Random } from './random.ts';
import type { EventSourceSettings } from './settings.ts';

/** What every part of one event source works with. */
export interface Context {
  readonly mapping: Mapping;
  readonly settings: EventSourceSettings;
  readonly reader: ShardReader;
  readonly invoke: Invoke;
  readonly destination: Destination | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The pause before a shard is read again that had nothing to read. */
  readonly pollIntervalMs: number;
  /** Between retries of whatever failed. */
  readonly backoff: Backoff;
  /** The most records of a shard that are read beyond its checkpoint. */
  readonly readAheadRecords: number;
  /** Aborts when nothing new may begin. */
  readonly stopping: AbortSignal;
  /** Aborts when what is still under way is given up. */
  readonly abandoned: AbortSignal;
}
