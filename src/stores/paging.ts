/** A request for a page of a list: the maximum number of items, and the cursor of the previous page. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** A page of a list. `cursor` is set if there are more items. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}
