import { type Durations, publisherDuration, publisherMemory } from './lambda-time.ts';
import { gigabyte, prices } from './prices.ts';

/** The average consumption of one event. */
export interface UnitsPerEvent {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** The number of notifications that are published on the bus. */
  readonly busEvents: number;
  /** The number of records on the notification stream. */
  readonly notificationRecords: number;
  /** The number of invocations of the publisher. */
  readonly publisherBatches: number;
  /** The number of batches. Each batch invokes the dispatcher and the model's function once. */
  readonly batches: number;
  /** The size of the event's record, in bytes. */
  readonly recordBytes: number;
}

/** The cost of a million events, in US dollars. */
export interface Dollars {
  readonly dynamoDb: number;
  readonly lambda: number;
  readonly logs: number;
  /** The on-demand event stream, which is the default. */
  readonly kinesisOnDemand: number;
  /** The event stream with provisioned shards at full utilization. */
  readonly kinesisProvisioned: number;
  /** The notification stream, with as many shards as it needs, but at least one. */
  readonly notificationStream: number;
  /** The Lambda function that publishes notifications on the bus. */
  readonly publisher: number;
  readonly eventBridge: number;
}

/** The number of records that a shard accepts in an hour. By default, events are assumed to arrive at this rate. */
const recordsPerHour = 1_000 * 3_600;
/**
 * The size of one of the dispatcher's metrics lines in bytes, including the 26 bytes that CloudWatch adds, and the size
 * of an event's age in the line. A line contains the ages of up to 100 events. Successful invocations log nothing else:
 * see docs/decisions/0038.
 */
export const metricsLine = { bytes: 308, bytesPerEvent: 4.25, events: 100 };
/** How many days Kinesis retains records free of charge. */
const freeDays = 1;
export const daysOfMonth = 30;
export const secondsOfMonth = daysOfMonth * 86_400;
const million = 1e6;

/** The event stream's load and settings that affect its cost. */
export interface StreamUsage {
  /** How many hours a million events take to arrive. Default: the time that one shard needs to accept them. */
  readonly hours?: number;
  /** How many days records are retained, 1 to 7. Default: 7, the construct's default. */
  readonly keptDays?: number;
  /** Whether Kinesis pushes the records to the dispatcher. Default: false. */
  readonly pushed?: boolean;
}

/** Estimates the cost of a million events at list prices. */
export function dollarsOf(
  event: UnitsPerEvent,
  durations: Durations,
  memory: { readonly dispatcher: number; readonly model: number },
  { hours = million / recordsPerHour, keptDays = 7, pushed = false }: StreamUsage = {},
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
    logs:
      ((million * bytesOfMetrics(event.batches)) / gigabyte) * prices.cloudWatchLogs.perGigabyte,
    kinesisOnDemand:
      hours * onDemand.perStreamHour +
      billedGigabytes * onDemand.perGigabyteIn +
      gigabytes * (pushed ? onDemand.perGigabytePushed : onDemand.perGigabyteOut) +
      gigabytes * onDemand.perGigabyteMonth * ((keptDays - freeDays) / daysOfMonth),
    kinesisProvisioned:
      hours * (provisioned.perShardHour + provisioned.perShardHourOfRetention) +
      Math.ceil(event.recordBytes / 25_600) * provisioned.perMillionPutUnits,
    notificationStream:
      notificationRecords === 0
        ? 0
        : hours * shards * provisioned.perShardHour +
          notificationRecords * provisioned.perMillionPutUnits,
    publisher:
      publisherBatches * lambda.perMillionRequests +
      million * publisherBatches * perPublisherBatch * lambda.perGigabyteSecond,
    eventBridge: busEvents * eventBridge.perMillionEvents,
  };
}

/** Returns the average number of bytes in metrics lines per event. */
const bytesOfMetrics = (batches: number): number =>
  Math.max(batches, 1 / metricsLine.events) * metricsLine.bytes + metricsLine.bytesPerEvent;

/** Returns the total cost of a million events, with an on-demand event stream. */
export function totalOf(dollars: Dollars): number {
  const { dynamoDb, lambda, logs, kinesisOnDemand } = dollars;
  const { notificationStream, publisher, eventBridge } = dollars;
  return dynamoDb + lambda + logs + kinesisOnDemand + notificationStream + publisher + eventBridge;
}
