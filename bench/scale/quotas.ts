/** AWS limits in us-east-1 as of November 2026: fixed limits, and default quotas that can be raised. */
export const quotas = {
  /** @see https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html */
  kinesis: {
    /** Fixed. */
    recordsPerShard: 1_000,
    bytesPerShard: 1_048_576,
    /** The interval in milliseconds at which Lambda reads a shard, and the maximum records per read. */
    readEvery: 1_000,
    recordsPerRead: 10_000,
    /** For a new on-demand stream. It scales to twice its peak within minutes. */
    recordsOfNewStream: 4_000,
  },
  /** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  lambda: {
    /** For all functions of an account together. Can be raised. */
    concurrency: 1_000,
  },
  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
  dynamoDb: {
    /** Per partition, and therefore per partition key. Fixed. */
    writeUnitsPerKey: 1_000,
    readUnitsPerKey: 3_000,
    /** Per table, and per index. Can be raised. */
    unitsPerTable: 40_000,
    /** For a new table. It scales to twice its peak within half an hour. */
    writeUnitsOfNewTable: 4_000,
  },
} as const;
