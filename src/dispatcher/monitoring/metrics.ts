/** The outcome of an event. All outcomes except `parked` are final. */
export type DispatchOutcome = 'applied' | 'rejected' | 'duplicate' | 'parked';

/** The number of a model's events in a batch, by outcome. */
export interface ModelCounts extends Record<DispatchOutcome, number> {
  /** The number of dead letters that refer to the model. */
  deadLetters: number;
  /**
   * For each applied or rejected event, the time in milliseconds from its arrival on the stream until its commit and
   * tail were complete. Events that were parked in the meantime are omitted.
   */
  readonly ages: number[];
}

/** The outcomes of a batch, counted by model. */
export interface BatchCounts {
  /**
   * The number of complete stream records. Records with the same sequence number are parts of an aggregated record that
   * Lambda has split. Such parts are not counted, because a batch might not contain all parts of a record.
   */
  readonly records: number;
  readonly models: ReadonlyMap<string, Readonly<ModelCounts>>;
  /** The total number of dead letters, including dead letters that do not refer to a model. */
  readonly deadLetters: number;
}

export interface Metrics {
  /** Called once for each batch. */
  recordBatch(counts: BatchCounts): void;
}
