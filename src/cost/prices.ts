/**
 * List prices in us-east-1, in US dollars, without free tiers, as of 2026-11-21.
 *
 * The prices come from secondary sources because AWS's pricing pages load their figures with scripts. Code that uses
 * the prices rounds quantities up where AWS does, such as the size of each record.
 */
export const prices = {
  /** @see https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  dynamoDb: {
    perMillionWriteUnits: 0.625,
    perMillionReadUnits: 0.125,
    /** @see https://aws.amazon.com/dynamodb/pricing/provisioned/ */
    provisioned: { perWriteUnitHour: 0.000_65, perReadUnitHour: 0.000_13 },
    perGigabyteMonth: 0.25,
    /** Point-in-time recovery, which is enabled for the tables. */
    perGigabyteMonthOfBackup: 0.2,
  },
  /** @see https://aws.amazon.com/lambda/pricing/ */
  lambda: {
    perMillionRequests: 0.2,
    /** The price for the Arm architecture, which Milepost uses. */
    perGigabyteSecond: 0.000_013_333_4,
  },
  /** @see https://aws.amazon.com/kinesis/data-streams/pricing/ */
  kinesis: {
    onDemand: {
      perStreamHour: 0.04,
      /** The size of each record is rounded up to 1 KB. */
      perGigabyteIn: 0.08,
      perGigabyteOut: 0.04,
      /**
       * The price of records that Kinesis pushes to a consumer (enhanced fan-out). On demand, there is no hourly price
       * per consumer.
       */
      perGigabytePushed: 0.05,
      /** The price of retaining records for more than one day and up to seven days. */
      perGigabyteMonth: 0.1,
    },
    provisioned: {
      perShardHour: 0.015,
      /** A unit is a payload of up to 25 KB. */
      perMillionPutUnits: 0.014,
      /** The price of retaining records for more than one day and up to seven days. */
      perShardHourOfRetention: 0.02,
    },
  },
  /** The price of custom events of up to 64 KB each. @see https://aws.amazon.com/eventbridge/pricing/ */
  eventBridge: { perMillionEvents: 1 },
  /**
   * The price of requests to standard queues. A request contains up to ten messages and 64 KB.
   *
   * @see https://aws.amazon.com/sqs/pricing/
   */
  sqs: { perMillionRequests: 0.4 },
  /** @see https://aws.amazon.com/secrets-manager/pricing/ */
  secretsManager: { perSecretMonth: 0.4 },
  /** @see https://aws.amazon.com/cloudwatch/pricing/ */
  cloudWatchLogs: { perGigabyte: 0.5 },
  /** @see https://aws.amazon.com/cloudwatch/pricing/ */
  cloudWatch: {
    /** The monthly price of a custom metric. */
    perMetricMonth: 0.3,
    /** The monthly price of each metric that an alarm evaluates. */
    perAlarmMetricMonth: 0.1,
  },
  /**
   * The price of HTTP APIs for the first 300 million requests per month.
   *
   * @see https://aws.amazon.com/api-gateway/pricing/
   */
  apiGateway: { perMillionRequests: 1 },
} as const;

/** The date of the prices. */
export const pricesAsOf = '2026-11-21';

/** The number of bytes in a gigabyte in AWS's prices. */
export const gigabyte = 2 ** 30;
