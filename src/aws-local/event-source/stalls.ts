import type { EventSourceContext } from './options.ts';

/** A shard that has work but has made no progress for `stalledAfterMs`. */
export interface StalledShard {
  /** Null if the stream's shards could not be listed. */
  readonly shardId: string | null;
  /** When the stall began, in milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
}

/**
 * Logs the start and the end of each stall until the mapping stops.
 *
 * @param stalledShards returns the shards that are currently stalled.
 */
export async function logStalls(
  {
    clock,
    log,
    stalledAfterMs,
    stopping,
  }: Pick<EventSourceContext, 'clock' | 'log' | 'stalledAfterMs' | 'stopping'>,
  stalledShards: () => readonly StalledShard[],
): Promise<void> {
  let known: ReadonlySet<string | null> = new Set();
  while (!stopping.aborted) {
    await clock.sleep(stalledAfterMs / 4, stopping);
    const stalled = stalledShards();
    for (const { shardId, since, reason } of stalled)
      if (!known.has(shardId))
        log(`the shard makes no progress: ${reason}`, { shardId, since: new Date(since) });
    const now = new Set(stalled.map(({ shardId }) => shardId));
    for (const shardId of known)
      if (!now.has(shardId)) log('the shard makes progress again', { shardId });
    known = now;
  }
}
