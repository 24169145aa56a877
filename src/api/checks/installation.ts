import type { EventSourceReader } from '../../stores/event-source-reader.ts';

/** The parts of the deployed service that checks inspect. */
export interface Installation {
  /** The version of Milepost. */
  readonly version: string;
  readonly consumers: readonly Consumer[];
  /** The notification stream, with or without a publisher; undefined without notifications. */
  readonly notificationStream?: string;
  readonly mappings: EventSourceReader;
  readonly streams: StreamReader;
  readonly dueTimers: DueTimers;
  /** Exists only in AWS. */
  readonly clockRule?: ClockRule;
  /** Metrics and alarms, which exist only in AWS. */
  readonly monitoring?: Monitoring;
  /** Adds the region and, on one machine, the endpoint to a command of the AWS CLI. */
  readonly awsCommand: (command: string) => string;
}

/** A function that reads a stream through an event source mapping. */
export interface Consumer {
  readonly name: 'dispatcher' | 'publisher' | 'counter' | 'archiver';
  /** The UUID of the event source mapping. */
  readonly mapping: string;
  readonly functionName: string;
  readonly logGroup: string;
  /** The name of its Kinesis stream; undefined for the stream of a table. */
  readonly stream?: string;
}

/** Describes streams. */
export interface StreamReader {
  /** Returns undefined if the stream does not exist. */
  read(name: string): Promise<StreamStatus | undefined>;
}

export interface StreamStatus {
  readonly arn: string;
  /** `CREATING`, `DELETING`, `ACTIVE` or `UPDATING`. */
  readonly status: string;
  readonly openShards: number;
  readonly retentionHours: number;
  /** False if the stream distributes its records evenly and ignores their partition keys. */
  readonly usesPartitionKeys: boolean;
}

/** The index of due timers. */
export interface DueTimers {
  /** Returns when the next timer or deadline is due (RFC 3339 in UTC), or undefined if there is none. */
  earliest(): Promise<string | undefined>;
}

/** The metrics and alarms of the installation. */
export interface Monitoring {
  /**
   * Returns the values of each metric in the last `minutes` minutes, newest first. CloudWatch receives values a minute
   * or two late.
   */
  values(metrics: readonly Metric[], minutes: number): Promise<readonly (readonly MetricValue[])[]>;
  alarms(): Promise<readonly Alarm[]>;
}

/** The rule that runs the clock every minute. */
export interface ClockRule {
  readonly name: string;
  /** The log group of the clock. */
  readonly logGroup: string;
  /** Returns undefined if the rule does not exist. */
  isEnabled(): Promise<boolean | undefined>;
}

/** A metric with one value per minute. */
export type Metric =
  /** The age in milliseconds of the last record of the oldest batch that a function received. */
  | { readonly kind: 'iterator age'; readonly functionName: string }
  /** The number of invocations; minutes without one have no value. */
  | { readonly kind: 'invocations'; readonly functionName: string }
  /** The number of records put on a stream; minutes without one have no value. */
  | { readonly kind: 'incoming records'; readonly stream: string };

export interface MetricValue {
  /** The start of the minute, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

export interface Alarm {
  readonly name: string;
  readonly isRaised: boolean;
  /** False if the alarm has no action. */
  readonly hasAction: boolean;
}
