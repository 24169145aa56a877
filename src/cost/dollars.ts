import { type Durations, publisherDuration, publisherMemory } from './lambda-time.ts';
import { gigabyte, prices } from './prices.ts';

/** What one event takes, on average. */
export interface UnitsPerEvent {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Notifications, each of which is an event put to the bus. */
  readonly busEvents: number;
  /** Records on the stream of notifications. */
  readonly notificationRecords: number;
  /** Invocations of the publisher. */
  readonly publisherBatches: number;
  /** Batches: each is an invocation of the dispatcher and one of the model. */
  readonly batches: number;
  /** Of its record, in bytes. */
  readonly recordBytes: number;
}

/** Dollars for a million events. */
export interface Dollars {
  readonly dynamoDb: number;
  readonly lambda: number;
  readonly logs: number;
  /** As the stream is by default. */
  readonly kinesisOnDemand: number;
  /** With shards that are used to the full. */
  readonly kinesisProvisioned: number;
  /** The stream of notifications, with as many shards as they need; one at least. */
  readonly notificationStream: number;
  /** The function that takes notifications to the bus, and its logs. */
  readonly publisher: number;
  readonly eventBridge: number;
}

/** Records that a shard takes in an hour, and what the stream takes here. */
const recordsPerHour = 1_000 * 3_600;
/**
 * What Lambda logs of an invocation by itself, in bytes: a JSON line when it starts, another when it
 * ends, and the 26 bytes that CloudWatch counts with each.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
const logBytes = 420;
/** How long the stream keeps a record at no charge, in days. */
const freeDays = 1;
export const daysOfMonth = 30;
const million = 1e6;

/** What else the price of an event depends on. */
export interface StreamUsage {
  /** How long the stream is there for a million events, in hours: else as if one shard were full. */
  readonly hours?: number;
  /** How long it keeps a record, in days: 1 to 7; else 7, as it is by default. */
  readonly keptDays?: number;
}

/** What a million events cost. */
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

/** What CloudWatch takes for a million times so many invocations. */
const logsOf = (invocations: number): number =>
  ((million * invocations * logBytes) / gigabyte) * prices.cloudWatchLogs.perGigabyte;

/** All of it, with both streams as they are by default. */
export function totalOf(dollars: Dollars): number {
  const { dynamoDb, lambda, logs, kinesisOnDemand } = dollars;
  const { notificationStream, publisher, eventBridge } = dollars;
  return dynamoDb + lambda + logs + kinesisOnDemand + notificationStream + publisher + eventBridge;
}
