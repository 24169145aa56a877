/** A record to put on the stream. */
export interface OutgoingRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /**
   * The instance that the record comes from. Records of one partition key keep their order only among
   * those of the same sender. Default: they keep it among all that name no sender.
   */
  readonly sender?: string;
  /** Consecutive records of one sender and partition key that share it may change places. Default: none may. */
  readonly moment?: string;
}

/** The stream that everything comes in by. */
export interface EventStream {
  /**
   * Puts records so that those of one sender and partition key stand in the order given, except for those
   * of one moment.
   *
   * @throws RecordsRefusedError when the stream refused some of them, even when they were put again.
   * @throws Error when it is not known which of them were put.
   */
  put(records: readonly OutgoingRecord[]): Promise<void>;
}
