/** Which part of a list: so many, from behind a place that an earlier page gave. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** A part of a list, and where to go on; no cursor when there is nothing more. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}
