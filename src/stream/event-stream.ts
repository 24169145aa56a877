/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /**
   * The instance that sends the record. Records with the same partition key keep their order only within the
   * same sender. Default: none; all records without a sender keep their order together.
   */
  readonly sender?: string;
  /** Consecutive records of one sender and partition key with the same moment may be reordered. Default: none may. */
  readonly moment?: string;
}

/** The stream of all events. */
export interface EventStream {
  /**
   * Puts records on the stream. Records of one sender and partition key keep their order, except within one
   * moment.
   *
   * @throws RecordsRefusedError if the stream rejected some of them, even after retries.
   * @throws Error if it is unknown which of them are on the stream.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}
