import type { Item } from '../client/dynamodb.ts';

/** The result of querying one partition, newest first. */
export interface PartitionPage {
  readonly items: readonly Item[];
  /** True if the response does not contain the whole partition, because of the limit or because it reached 1 MB. */
  readonly cut: boolean;
}

/**
 * Merges the newest items of several partitions and returns whether there are more.
 *
 * If a response is incomplete, items of other partitions that are older than its last item are omitted, because
 * unread items may belong before them. The last item of an incomplete response is also omitted: on the next page, it
 * proves that there are more items.
 *
 * @param placeOf the sort key of an item; higher is newer.
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
