/** The result of counting up to a limit. `more` is true if the count stopped at the limit. */
export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}
