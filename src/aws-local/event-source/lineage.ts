import type { Shard } from './ports.ts';

/**
 * The shards that may start now: those not yet started whose parents are all finished, that is,
 * read to their end and every record of them processed. A parent that is not listed lies outside
 * the stream's retention, and nothing of it can be waited for.
 */
export function startable(
  shards: readonly Shard[],
  started: ReadonlySet<string>,
  finished: ReadonlySet<string>,
): readonly Shard[] {
  const listed = new Set(shards.map((shard) => shard.id));
  const isWaitedFor = (parent: string | undefined): boolean =>
    parent !== undefined && listed.has(parent) && !finished.has(parent);
  return shards.filter(
    (shard) =>
      !started.has(shard.id) &&
      !isWaitedFor(shard.parentId) &&
      !isWaitedFor(shard.adjacentParentId),
  );
}
