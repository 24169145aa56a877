/** How an event ended: for good, or for as long as nobody redrives it. */
export type DispatchOutcome = 'applied' | 'rejected' | 'duplicate' | 'parked';

/** What a batch came to for one model. */
export interface ModelCounts extends Record<DispatchOutcome, number> {
  /** Records that are no events but name the model. */
  deadLetters: number;
  /**
   * Of each event that is applied or rejected, how long it took from its arrival on the stream until
   * it was committed and what follows from that was done, in milliseconds. Those that were parked
   * in between have none.
   */
  readonly ages: number[];
}

/** What a batch came to. */
export interface BatchCounts {
  readonly models: ReadonlyMap<string, Readonly<ModelCounts>>;
  /** Of all models, and of none. */
  readonly deadLetters: number;
}

/** Is told what is to be counted. */
export interface Metrics {
  /** Once a batch. */
  recordBatch(counts: BatchCounts): void;
}
