import type { Head } from '../../core/history/commit.ts';
import { type Seen, withBase } from '../../core/history/seen.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { seenIn } from './commit-item.ts';
import type { HeadCache } from './head-cache.ts';
import { commitKey, itemKey, partitionOf } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';

export interface SeenDependencies extends InstancesTable {
  /** The cached heads. A cached head may contain the seen events of the base commit. */
  readonly headCache: HeadCache;
}

/**
 * Adds to heads or commits all events that their instances have seen. Throws a TypeError if a base commit is missing.
 */
export async function withWholeSeen<Each extends Head>(
  { client, table, headCache: known, clock }: SeenDependencies,
  heads: readonly Each[],
): Promise<Each[]> {
  const incomplete = heads.filter(({ seen }) => seen.recent === 'elsewhere');
  const bases = new Map<Each, Seen>();
  for (const head of incomplete) {
    const seen = known.get(head)?.seen;
    if (seen?.base === head.seen.base) bases.set(head, seen);
  }
  const wanted = incomplete.filter((head) => !bases.has(head));
  const keys = wanted.map((head) => itemKey(head, commitKey(head.seen.base)));
  const items = await batchGet(client, table, keys, { attributes: ['pk', 'sk', 'heard'], clock });
  const found = new Map(items.map((item) => [item.pk!.S!, seenIn(item)]));
  for (const head of wanted) {
    const base = found.get(partitionOf(head));
    if (!base) throw new TypeError(`${partitionOf(head)} has no commit ${head.seen.base}`);
    bases.set(head, base);
  }
  return heads.map((head) => {
    const base = bases.get(head);
    return base ? { ...head, seen: withBase(head.seen, base) } : head;
  });
}
