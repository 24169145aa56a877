/**
 * What AWS allows in us-east-1, as of 2026-11: limits that are fixed, and quotas that an account starts
 * with and can have raised.
 */
export const quotas = {
  /** @see https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html */
  kinesis: {
    /** Fixed. */
    recordsPerShard: 1_000,
    bytesPerShard: 1_048_576,
    /** How often Lambda reads a shard, in milliseconds, and what a read gives at most. */
    readEvery: 1_000,
    recordsPerRead: 10_000,
    /** Of a new stream on demand; it grows to twice its peak within minutes. */
    recordsOfNewStream: 4_000,
  },
  /** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  lambda: {
    /** Of all functions of an account together. Can be raised. */
    concurrency: 1_000,
  },
  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
  dynamoDb: {
    /** Of a partition, and so of one partition key. Fixed. */
    writeUnitsPerKey: 1_000,
    readUnitsPerKey: 3_000,
    /** Of a table, and of each of its indexes. Can be raised. */
    unitsPerTable: 40_000,
    /** Of a new table; it grows to twice its peak within half an hour. */
    writeUnitsOfNewTable: 4_000,
  },
} as const;
