import type { Durations } from './lambda-time.ts';
import { gigabyte, prices } from './prices.ts';

/** What one event takes, on average. */
export interface PerEvent {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Events put to the bus. */
  readonly busEvents: number;
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
export interface StreamUse {
  /** How long the stream is there for a million events, in hours: else as if one shard were full. */
  readonly hours?: number;
  /** How long it keeps a record, in days: 1 to 7; else 7, as it is by default. */
  readonly keptDays?: number;
}

/** What a million events cost. */
export function dollarsOf(
  event: PerEvent,
  durations: Durations,
  memory: { readonly dispatcher: number; readonly model: number },
  { hours = million / recordsPerHour, keptDays = 7 }: StreamUse = {},
): Dollars {
  const { dynamoDb, lambda, kinesis, eventBridge, cloudWatchLogs } = prices;
  const gigabyteSeconds = (ms: number, megabytes: number) =>
    (Math.ceil(ms) / 1_000) * (megabytes / 1_024);
  const perBatch =
    gigabyteSeconds(durations.dispatcher, memory.dispatcher) +
    gigabyteSeconds(durations.model, memory.model);
  const billedGigabytes = (million * Math.ceil(event.recordBytes / 1_024) * 1_024) / gigabyte;
  const gigabytes = (million * event.recordBytes) / gigabyte;
  const { onDemand, provisioned } = kinesis;
  return {
    dynamoDb:
      event.writeUnits * dynamoDb.perMillionWriteUnits +
      event.readUnits * dynamoDb.perMillionReadUnits,
    lambda:
      2 * event.batches * lambda.perMillionRequests +
      million * event.batches * perBatch * lambda.perGigabyteSecond,
    logs: ((million * 2 * event.batches * logBytes) / gigabyte) * cloudWatchLogs.perGigabyte,
    kinesisOnDemand:
      hours * onDemand.perStreamHour +
      billedGigabytes * onDemand.perGigabyteIn +
      gigabytes * onDemand.perGigabyteOut +
      gigabytes * onDemand.perGigabyteMonth * ((keptDays - freeDays) / daysOfMonth),
    kinesisProvisioned:
      hours * (provisioned.perShardHour + provisioned.perShardHourOfRetention) +
      Math.ceil(event.recordBytes / 25_600) * provisioned.perMillionPutUnits,
    eventBridge: event.busEvents * eventBridge.perMillionEvents,
  };
}

/** All of it, with the stream as it is by default. */
export function totalOf(dollars: Dollars): number {
  const { dynamoDb, lambda, logs, kinesisOnDemand, eventBridge } = dollars;
  return dynamoDb + lambda + logs + kinesisOnDemand + eventBridge;
}
