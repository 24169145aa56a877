/** The result of counting up to a limit. `more` is true if not everything was counted. */
export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}
