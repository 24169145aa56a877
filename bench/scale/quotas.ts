/** AWS limits in us-east-1 as of November 2026: fixed limits, and default quotas that AWS raises on request. */
export const quotas = {
  /** @see https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html */
  kinesis: {
    /** Fixed limits per shard. */
    recordsPerShard: 1_000,
    bytesPerShard: 1_048_576,
    /** The interval between Lambda's reads of a shard, in milliseconds. */
    readEvery: 1_000,
    recordsPerRead: 10_000,
    /**
     * How long it takes from a put until Lambda receives a pushed record (enhanced fan-out), in milliseconds, according
     * to third-party measurements from November 2026. AWS states about 70 ms.
     */
    pushDelay: { p50: 49, p99: 109 },
    /**
     * The write rate of a new on-demand stream, in records per second. The stream scales to twice its peak within
     * minutes.
     */
    recordsOfNewStream: 4_000,
  },
  /** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  lambda: {
    /** The combined quota of all functions in an account. Can be raised. */
    concurrency: 1_000,
  },
  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
  dynamoDb: {
    /** Fixed limits per partition, and therefore per partition key. */
    writeUnitsPerKey: 1_000,
    readUnitsPerKey: 3_000,
    /** The quota of each table and each index. Can be raised. */
    unitsPerTable: 40_000,
    /**
     * The write rate of a new on-demand table, in units per second. The table scales to twice its peak within 30
     * minutes.
     */
    writeUnitsOfNewTable: 4_000,
  },
} as const;
