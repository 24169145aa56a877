import type { Item } from '../client/dynamodb.ts';

/** What one partition answered, newest first. */
export interface PartitionPage {
  readonly items: readonly Item[];
  /** True when the answer stopped before the end: it had as many as asked for, or 1 MB. */
  readonly cut: boolean;
}

/**
 * The newest items of several partitions, and whether there are more behind them.
 *
 * Where an answer was cut, what other partitions have from that place on has to wait: items that
 * were not read may belong in front of it. The last item of such an answer waits too, because only
 * that proves that there is more.
 *
 * @param placeOf what the items are sorted by; higher is newer.
 */
export function mergeNewest(
  pages: readonly PartitionPage[],
  placeOf: (item: Item) => string,
): { readonly items: Item[]; readonly more: boolean } {
  const ends = pages.flatMap(({ items, cut }) => (cut ? items.slice(-1) : [])).map(placeOf);
  const certain = ends.reduce((newest, end) => (end > newest ? end : newest), '');
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => placeOf(item) > certain)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  return { items, more: ends.length > 0 };
}
