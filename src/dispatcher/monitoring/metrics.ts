/** The outcome of an event. All but `parked` are final. */
export type DispatchOutcome = 'applied' | 'rejected' | 'duplicate' | 'parked';

/** The counts of a batch for one model. */
export interface ModelCounts extends Record<DispatchOutcome, number> {
  /** Dead letters that name the model. */
  deadLetters: number;
  /**
   * For each applied or rejected event, the time from its arrival on the stream until its commit and the
   * commit's tail were complete, in milliseconds. Events that were parked in between are left out.
   */
  readonly ages: number[];
}

/** The counts of a batch. */
export interface BatchCounts {
  readonly models: ReadonlyMap<string, Readonly<ModelCounts>>;
  /** The dead letters of all models, and those that name no model. */
  readonly deadLetters: number;
}

/** Records metrics. */
export interface Metrics {
  /** Called once for each batch. */
  recordBatch(counts: BatchCounts): void;
}
