import type { EventSourceReader } from '../../stores/event-source-reader.ts';

/** The parts of the deployed service that checks inspect. */
export interface Installation {
  /** The version of Milepost, such as `1.2.3`. */
  readonly version: string;
  readonly consumers: readonly Consumer[];
  /** The name of the notification stream, which can exist without a publisher; undefined if notifications are off. */
  readonly notificationStream?: string;
  readonly mappings: EventSourceReader;
  readonly streams: StreamReader;
  readonly dueTimers: DueTimers;
  /** The rule that runs the clock; undefined in the local service, which runs the clock itself. */
  readonly clockRule?: ClockRule;
  /** Metrics and alarms, which exist only in AWS. */
  readonly monitoring?: Monitoring;
  /** Adds the region and, in the local service, the endpoint to an AWS CLI command. */
  readonly awsCommand: (command: string) => string;
}

/** A function that reads a stream through an event source mapping. */
export interface Consumer {
  readonly name: 'dispatcher' | 'publisher' | 'counter' | 'archiver';
  /** The UUID of the event source mapping. */
  readonly mapping: string;
  readonly functionName: string;
  readonly logGroup: string;
  /** The name of the Kinesis stream that the function reads; undefined if it reads the change stream of a table. */
  readonly stream?: string;
}

/** Reads the status of Kinesis streams. */
export interface StreamReader {
  /** Returns the status of a stream, or undefined if the stream does not exist. */
  read(name: string): Promise<StreamStatus | undefined>;
}

export interface StreamStatus {
  readonly arn: string;
  /** `CREATING`, `DELETING`, `ACTIVE`, or `UPDATING`. */
  readonly status: string;
  readonly openShards: number;
  readonly retentionHours: number;
  /** False if the stream distributes its records evenly and ignores their partition keys. */
  readonly usesPartitionKeys: boolean;
}

/** The due timer index, which also contains deadlines. */
export interface DueTimers {
  /** Returns when the next timer or deadline is due, RFC 3339 in UTC; undefined if there is none. */
  earliest(): Promise<string | undefined>;
}

/** The service's CloudWatch metrics and alarms. */
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
  /** The log group of the clock's function. */
  readonly logGroup: string;
  /** Returns true if the rule is enabled, false if it is disabled, or undefined if it does not exist. */
  isEnabled(): Promise<boolean | undefined>;
}

/** A metric with at most one value per minute. */
export type Metric =
  /** The age, in milliseconds, of the last record in the oldest batch that a function received. */
  | { readonly kind: 'iterator age'; readonly functionName: string }
  /** The number of invocations. A minute without invocations has no value. */
  | { readonly kind: 'invocations'; readonly functionName: string }
  /** The number of records put on a stream. A minute without records has no value. */
  | { readonly kind: 'incoming records'; readonly stream: string };

export interface MetricValue {
  /** The start of the minute, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

export interface Alarm {
  readonly name: string;
  readonly isRaised: boolean;
  /** False if the alarm notifies nobody. */
  readonly hasAction: boolean;
}
