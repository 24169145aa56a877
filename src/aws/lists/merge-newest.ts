import type { Item } from '../client/dynamodb.ts';

/** The response of one partition, newest first. */
export interface PartitionPage {
  readonly items: readonly Item[];
  /** True if the response ended before the partition did: at the limit or at 1 MB. */
  readonly cut: boolean;
}

/**
 * Merges the newest items of several partitions, and tells if there are more.
 *
 * If a response was cut, items of other partitions beyond its end are held back, because unread items may belong before
 * them. The last item of a cut response is held back too: only that item proves that there are more.
 *
 * @param placeOf the sort key of an item; higher is newer
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
