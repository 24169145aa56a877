/** The prefix of a `lastProcessingResult` that reports a failure, such as `PROBLEM: Function call failed`. */
export const processingProblem = 'PROBLEM';

/** The status of an event source mapping, as Lambda reports it. */
export interface EventSourceCondition {
  /** `Enabled` if the mapping reads its stream. */
  readonly state: string;
  /** The result of the latest attempt to read the stream and invoke the function, such as `OK`. */
  readonly lastProcessingResult: string;
}

export interface EventSourceReader {
  /**
   * Reads the status of a mapping. Returns undefined if the mapping does not exist.
   *
   * @throws Error if the mapping cannot be read, for example, because access is denied.
   */
  read(uuid: string): Promise<EventSourceCondition | undefined>;
}
