/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /**
   * The instance that sends the record. Records with the same partition key keep their order only within the
   * same sender. Default: none. Records without a sender keep their order as if they had the same sender.
   */
  readonly sender?: string;
  /**
   * Consecutive records with the same sender, partition key and moment may be reordered. Default: none, so the record
   * is not reordered.
   */
  readonly moment?: string;
}

/** The stream of all events. */
export interface EventStream {
  /**
   * Puts records on the stream. Records of one sender and partition key keep their order, except within one
   * moment.
   *
   * @throws RecordsRefusedError if the stream rejected some of the records, even after retries.
   * @throws Error if it is unknown which of the records are on the stream.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}
