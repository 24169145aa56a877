import { type Durations, publisherDuration, publisherMemory } from './lambda-time.ts';
import { gigabyte, prices } from './prices.ts';

/** The average consumption of one event. */
export interface UnitsPerEvent {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** The number of notifications, each of which is an event on the bus. */
  readonly busEvents: number;
  /** Records on the notification stream. */
  readonly notificationRecords: number;
  /** Invocations of the publisher. */
  readonly publisherBatches: number;
  /** Batches: each invokes the dispatcher and the model once. */
  readonly batches: number;
  /** The size of its record, in bytes. */
  readonly recordBytes: number;
}

/** The cost of a million events, in US dollars. */
export interface Dollars {
  readonly dynamoDb: number;
  readonly lambda: number;
  readonly logs: number;
  /** With the default settings of the stream. */
  readonly kinesisOnDemand: number;
  /** With fully used shards. */
  readonly kinesisProvisioned: number;
  /** The notification stream, with as many shards as needed, but at least one. */
  readonly notificationStream: number;
  /** The function that publishes notifications, and its logs. */
  readonly publisher: number;
  readonly eventBridge: number;
}

/** The records that a shard accepts in an hour, which is also the assumed rate of the stream. */
const recordsPerHour = 1_000 * 3_600;
/**
 * The bytes that Lambda itself logs for an invocation: a JSON line at the start, another at the end, and the 26
 * bytes that CloudWatch counts for each.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
const logBytes = 420;
/** The retention of the stream that is free of charge, in days. */
const freeDays = 1;
export const daysOfMonth = 30;
const million = 1e6;

/** The usage of the stream. */
export interface StreamUsage {
  /** The hours in which a million events arrive. Default: the time in which they fill one shard. */
  readonly hours?: number;
  /** The retention of records in days, 1 to 7. Default: 7, like the construct's. */
  readonly keptDays?: number;
}

/** The cost of a million events. */
export function dollarsOf(
  event: UnitsPerEvent,
  durations: Durations,
  memory: { readonly dispatcher: number; readonly model: number },
  { hours = million / recordsPerHour, keptDays = 7 }: StreamUsage = {},
): Dollars {
  const { dynamoDb, lambda, kinesis, eventBridge } = prices;
  const gigabyteSeconds = (ms: number, megabytes: number) =>
    (Math.ceil(ms) / 1_000) * (megabytes / 1_024);
  const perBatch =
    gigabyteSeconds(durations.dispatcher, memory.dispatcher) +
    gigabyteSeconds(durations.model, memory.model);
  const billedGigabytes = (million * Math.ceil(event.recordBytes / 1_024) * 1_024) / gigabyte;
  const gigabytes = (million * event.recordBytes) / gigabyte;
  const { onDemand, provisioned } = kinesis;
  const { notificationRecords, publisherBatches, busEvents } = event;
  const shards = Math.max(1, (million * notificationRecords) / (hours * recordsPerHour));
  const perPublisherBatch = gigabyteSeconds(
    publisherDuration(publisherBatches === 0 ? 0 : busEvents / publisherBatches),
    publisherMemory,
  );
  return {
    dynamoDb:
      event.writeUnits * dynamoDb.perMillionWriteUnits +
      event.readUnits * dynamoDb.perMillionReadUnits,
    lambda:
      2 * event.batches * lambda.perMillionRequests +
      million * event.batches * perBatch * lambda.perGigabyteSecond,
    logs: 2 * logsOf(event.batches),
    kinesisOnDemand:
      hours * onDemand.perStreamHour +
      billedGigabytes * onDemand.perGigabyteIn +
      gigabytes * onDemand.perGigabyteOut +
      gigabytes * onDemand.perGigabyteMonth * ((keptDays - freeDays) / daysOfMonth),
    kinesisProvisioned:
      hours * (provisioned.perShardHour + provisioned.perShardHourOfRetention) +
      Math.ceil(event.recordBytes / 25_600) * provisioned.perMillionPutUnits,
    notificationStream:
      busEvents === 0
        ? 0
        : hours * shards * provisioned.perShardHour +
          notificationRecords * provisioned.perMillionPutUnits,
    publisher:
      publisherBatches * lambda.perMillionRequests +
      million * publisherBatches * perPublisherBatch * lambda.perGigabyteSecond +
      logsOf(publisherBatches),
    eventBridge: busEvents * eventBridge.perMillionEvents,
  };
}

/** The cost of CloudWatch Logs for a million times this many invocations. */
const logsOf = (invocations: number): number =>
  ((million * invocations * logBytes) / gigabyte) * prices.cloudWatchLogs.perGigabyte;

/** The total, with the default settings of both streams. */
export function totalOf(dollars: Dollars): number {
  const { dynamoDb, lambda, logs, kinesisOnDemand } = dollars;
  const { notificationStream, publisher, eventBridge } = dollars;
  return dynamoDb + lambda + logs + kinesisOnDemand + notificationStream + publisher + eventBridge;
}
