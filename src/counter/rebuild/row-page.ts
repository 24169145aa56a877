import type { RowState } from '../row-change.ts';

/** A status row, as read by a rebuild's scan. */
export interface ScannedRow extends RowState {
  /** The partition key of the instance. */
  readonly instance: string;
}

/** A page of the scan. */
export interface RowPage {
  readonly rows: readonly ScannedRow[];
  /** The position after the page; undefined on the last page. */
  readonly cursor?: string;
}

/** Reads all instances' status rows. */
export interface RowScanner {
  /** Reads a page with strong consistency. A page can be empty even if more pages follow. */
  scan(cursor: string | undefined): Promise<RowPage>;
}

/** Stores the pages of rebuilds so that repeated attempts count the same rows. */
export interface RowPageStore {
  /** Reads a page; undefined if no attempt has stored it. */
  read(generation: number, page: number): Promise<RowPage | undefined>;
  /** Stores a page, unless another attempt has already stored it. */
  put(generation: number, page: number, content: RowPage): Promise<'stored' | 'exists'>;
}

/** Deletes the counters of earlier generations. */
export interface ObsoleteCounters {
  /**
   * Deletes a page of counters.
   *
   * @param current the generation in use. The counters of this generation and of later generations are kept.
   * @returns the position after the page; undefined on the last page.
   */
  deletePage(current: number, cursor: string | undefined): Promise<string | undefined>;
}
