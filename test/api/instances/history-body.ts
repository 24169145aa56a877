/** The members of a history response that tests read. */
export interface HistoryBody {
  readonly entries: readonly {
    readonly version: number;
    readonly event: { readonly id: string; readonly data: unknown };
    readonly outcome: string;
    readonly reason: string | null;
    readonly state: { readonly sum: number };
  }[];
  readonly cursor?: string;
}
