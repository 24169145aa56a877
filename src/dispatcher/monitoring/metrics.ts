/** The outcome of an event. All outcomes except `parked` are final. */
export type DispatchOutcome = 'applied' | 'rejected' | 'duplicate' | 'parked';

/** The outcomes of a batch for one model: the number of events with each outcome. */
export interface ModelCounts extends Record<DispatchOutcome, number> {
  /** The number of dead letters that name the model. */
  deadLetters: number;
  /**
   * For each applied or rejected event, the time from its arrival on the stream until its commit and the
   * commit's tail were complete, in milliseconds. Events that were parked in the meantime are omitted.
   */
  readonly ages: number[];
}

/** The outcomes of a batch, counted by model. */
export interface BatchCounts {
  /**
   * The number of stream records that arrived whole. Records with the same sequence number are parts of an aggregated
   * record that Lambda has split, which may be incomplete; they are not counted.
   */
  readonly records: number;
  readonly models: ReadonlyMap<string, Readonly<ModelCounts>>;
  /** The number of dead letters of all models, including letters that name no model. */
  readonly deadLetters: number;
}

/** Records metrics. */
export interface Metrics {
  /** Called once for each batch. */
  recordBatch(counts: BatchCounts): void;
}
