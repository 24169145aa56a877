/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /**
   * The instance that sends the record. Records with the same partition key and sender keep their order. Default: none.
   * All records without a sender are treated as if they came from one sender.
   */
  readonly sender?: string;
  /**
   * The time of the record's cause, such as the second in which a timer is due. Consecutive records with the same
   * sender, partition key, and moment may be reordered. Default: none. A record without a moment is never reordered.
   */
  readonly moment?: string;
}

/** The stream of all events. */
export interface EventStream {
  /**
   * Puts records on the stream. Records with the same sender and partition key keep their order, unless they share a
   * moment.
   *
   * @throws RecordsRefusedError if the stream rejected some of the records, even after retries.
   * @throws Error if it is unknown which records are on the stream.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}
