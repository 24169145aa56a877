import type { ListOrder } from '../../api/stores/instance-lists.ts';
import type { Item } from '../client/dynamodb.ts';

/** The result of querying one partition, in the order of a list. */
export interface PartitionPage {
  readonly items: readonly Item[];
  /** True if the response contains only part of the partition because of the limit or because it reached 1 MB. */
  readonly cut: boolean;
}

/** Returns a comparison function for `toSorted` that puts sort keys in the order of a list. */
export const comparing =
  (order: ListOrder) =>
  (a: string, b: string): number => {
    if (a === b) return 0;
    return a < b === (order === 'oldest') ? -1 : 1;
  };

/**
 * Merges the first items of several partitions and returns whether more items follow.
 *
 * If a response is incomplete, items from other partitions that come after its last item are omitted because unread
 * items may sort before them. The last item in an incomplete response is also omitted so that the next page contains at
 * least one item.
 *
 * @param placeOf returns the sort key of an item; a higher key is newer.
 */
export function mergePages(
  pages: readonly PartitionPage[],
  placeOf: (item: Item) => string,
  order: ListOrder,
): { readonly items: Item[]; readonly more: boolean } {
  const compare = comparing(order);
  const ends = pages.flatMap(({ items, cut }) => (cut ? items.slice(-1) : [])).map(placeOf);
  const [firstEnd] = ends.toSorted(compare);
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => firstEnd === undefined || compare(placeOf(item), firstEnd) < 0)
    .toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  return { items, more: ends.length > 0 };
}

/**
 * Returns the positions of the incomplete pages that may lack one of the first `limit` items across all partitions. The
 * other incomplete pages end after these items.
 */
export function unfinishedPages(
  pages: readonly PartitionPage[],
  placeOf: (item: Item) => string,
  { limit, order }: { readonly limit: number; readonly order: ListOrder },
): number[] {
  const compare = comparing(order);
  const places = pages.flatMap(({ items }) => items.map(placeOf)).toSorted(compare);
  const last = places[limit - 1];
  return pages.flatMap(({ items, cut }, page) => {
    const isUnfinished = cut && (last === undefined || compare(placeOf(items.at(-1)!), last) <= 0);
    return isUnfinished ? [page] : [];
  });
}
