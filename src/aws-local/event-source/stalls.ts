import type { EventSourceContext } from './options.ts';

/** A shard that has had work to do for a while, and on which nothing moves. */
export interface StalledShard {
  /** Null: the stream's shards are not known. */
  readonly shardId: string | null;
  /** Since when, milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
}

/**
 * Logs each stall when it begins and when it is over, until the event source stops.
 *
 * @param stalledShards The shards that are stalled now.
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
        log(`shard makes no progress: ${reason}`, { shardId, since: new Date(since) });
    const now = new Set(stalled.map(({ shardId }) => shardId));
    for (const shardId of known)
      if (!now.has(shardId)) log('shard makes progress again', { shardId });
    known = now;
  }
}
