import { daysOfMonth, dollarsOf } from '../../src/cost/dollars.ts';
import { durationsOf } from '../../src/cost/lambda-time.ts';
import { defaultMemory, measuredWorks } from '../../src/cost/measured.ts';
import type { CostLine } from '../../src/cost/monthly-cost.ts';
import { gigabyte, prices } from '../../src/cost/prices.ts';

/** The number of events that the canary sends in a month: one per minute. */
const events = daysOfMonth * 24 * 60;
/**
 * The write units that the events of a day consume, and the bytes of storage that DynamoDB charges for these events, as
 * measured by `test/cost/canary-cost.test.ts`.
 */
export const measuredDay = { writeUnits: 1_497, bytes: 1_107_068 };
/** The canary's memory in MB. */
const megabytes = 256;
/**
 * The assumed duration of a run, in milliseconds. During most of a run, the canary waits for Lambda to read the stream.
 */
const assumedDuration = 1_000;
/**
 * The assumed number of reads, of one read unit each, until the event is applied. The canary reads five times in the
 * first 1.6 seconds.
 */
const assumedReads = 5;
/** The size of the log line that contains the canary's metric, in bytes. */
const metricLineBytes = 230;
const million = 1e6;

/** Estimates the monthly cost of a canary in a tracker with default options, at list prices. */
export function canaryCost(): readonly CostLine[] {
  const { dynamoDb, lambda, cloudWatchLogs, cloudWatch } = prices;
  const single = measuredWorks['A, one event per batch'];
  const writeUnits = (measuredDay.writeUnits * daysOfMonth) / events;
  // Ignore notifications, because the status of the canary's instance changes only twice a day.
  const perEvent = { ...single.perEvent, writeUnits, busEvents: 0, notificationRecords: 0 };
  const durations = durationsOf(single.cpu, defaultMemory, { events: 1, rounds: single.rounds });
  const pipeline = dollarsOf(perEvent, durations, defaultMemory);
  const millions = events / million;
  const gigabyteSeconds = events * (assumedDuration / 1_000) * (megabytes / 1_024);
  const stored = (measuredDay.bytes * daysOfMonth) / gigabyte;
  const { perGigabyteMonth, perGigabyteMonthOfBackup } = dynamoDb;
  return [
    {
      service: 'its function',
      amount: `${count(events)} invocations of ${assumedDuration / 1_000} s`,
      perMonth: millions * lambda.perMillionRequests + gigabyteSeconds * lambda.perGigabyteSecond,
    },
    {
      service: 'dispatcher and model',
      amount: `${count(2 * events)} invocations`,
      perMonth: millions * pipeline.lambda,
    },
    {
      service: 'CloudWatch Logs',
      amount: 'the metrics of the dispatcher and of the canary',
      perMonth:
        millions * pipeline.logs +
        (events * metricLineBytes * cloudWatchLogs.perGigabyte) / gigabyte,
    },
    {
      service: 'DynamoDB, units',
      amount: `${writeUnits.toFixed(2)} written and ${Math.ceil(perEvent.readUnits) + assumedReads} read per event`,
      perMonth: millions * (pipeline.dynamoDb + assumedReads * dynamoDb.perMillionReadUnits),
    },
    {
      service: 'DynamoDB, storage with backup',
      amount: `${count(1_024 * stored)} MB more each month`,
      perMonth: stored * (perGigabyteMonth + perGigabyteMonthOfBackup),
    },
    {
      service: 'metrics',
      amount: '`CanaryLatency`, and `Applied` and `Age` of its model',
      perMonth: 3 * cloudWatch.perMetricMonth,
    },
    { service: 'alarm', amount: '`Canary`', perMonth: cloudWatch.perAlarmMetricMonth },
  ];
}

const count = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });
