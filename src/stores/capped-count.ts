/** The result of counting up to a limit. `more` is true if there is more than was counted. */
export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}
