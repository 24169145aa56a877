/** A page of records, as in the response to `GetRecords`. `ApproximateArrivalTimestamp` is in seconds since 1970. */
export interface RecordPage {
  readonly Records: readonly {
    readonly SequenceNumber: string;
    readonly ApproximateArrivalTimestamp: number;
  }[];
  readonly NextShardIterator?: string;
  readonly MillisBehindLatest: number;
}
