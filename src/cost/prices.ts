/**
 * List prices in us-east-1, in US dollars, without free tiers, as of 2026-11-21.
 *
 * The pricing pages of AWS render figures with scripts, so these come from third-party quotes. Usage is rounded up
 * where it is counted, not here.
 */
export const prices = {
  /** @see https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  dynamoDb: {
    perMillionWriteUnits: 0.625,
    perMillionReadUnits: 0.125,
    perGigabyteMonth: 0.25,
    /** Point-in-time recovery, which is on for the tables. */
    perGigabyteMonthOfBackup: 0.2,
  },
  /** @see https://aws.amazon.com/lambda/pricing/ */
  lambda: {
    perMillionRequests: 0.2,
    /** ARM, the architecture of the functions. */
    perGigabyteSecond: 0.000_013_333_4,
  },
  /** @see https://aws.amazon.com/kinesis/data-streams/pricing/ */
  kinesis: {
    onDemand: {
      perStreamHour: 0.04,
      /** Each record rounded up to 1 KB. */
      perGigabyteIn: 0.08,
      perGigabyteOut: 0.04,
      /** Retention of more than one day, up to seven. */
      perGigabyteMonth: 0.1,
    },
    provisioned: {
      perShardHour: 0.015,
      /** Up to 25 KB each. */
      perMillionPutUnits: 0.014,
      /** Retention of more than one day, up to seven. */
      perShardHourOfRetention: 0.02,
    },
  },
  /** Custom events, up to 64 KB each. @see https://aws.amazon.com/eventbridge/pricing/ */
  eventBridge: { perMillionEvents: 1 },
  /** @see https://aws.amazon.com/secrets-manager/pricing/ */
  secretsManager: { perSecretMonth: 0.4 },
  /** @see https://aws.amazon.com/cloudwatch/pricing/ */
  cloudWatchLogs: { perGigabyte: 0.5 },
  /** HTTP APIs, the first 300 million requests. @see https://aws.amazon.com/api-gateway/pricing/ */
  apiGateway: { perMillionRequests: 1 },
} as const;

/** The date of the prices. */
export const pricesAsOf = '2026-11-21';

/** A gigabyte as AWS bills it, in bytes. */
export const gigabyte = 2 ** 30;
