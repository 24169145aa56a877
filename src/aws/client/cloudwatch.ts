import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** A metric with its statistic, as in a GetMetricData request. */
export interface MetricDataQuery {
  readonly Id: string;
  readonly MetricStat: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
    };
    /** The period, in seconds. */
    readonly Period: number;
    readonly Stat: 'Sum' | 'Maximum';
  };
}

/** The input of GetMetricData. Times are in seconds since 1970, as the JSON protocol requires. */
export interface GetMetricDataInput {
  readonly MetricDataQueries: readonly MetricDataQuery[];
  readonly StartTime: number;
  readonly EndTime: number;
  readonly ScanBy: 'TimestampDescending';
}

export interface GetMetricDataOutput {
  readonly MetricDataResults?: readonly {
    readonly Id?: string;
    readonly Timestamps?: readonly number[];
    readonly Values?: readonly number[];
  }[];
}

export interface DescribeAlarmsInput {
  readonly AlarmNamePrefix: string;
  readonly AlarmTypes: readonly 'MetricAlarm'[];
  readonly MaxRecords: number;
  readonly NextToken?: string;
}

/** The members of an alarm that Milepost uses. Times are in seconds since 1970. */
export interface MetricAlarm {
  readonly AlarmName?: string;
  readonly StateValue?: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  readonly ActionsEnabled?: boolean;
  readonly AlarmActions?: readonly string[];
}

export interface DescribeAlarmsOutput {
  readonly MetricAlarms?: readonly MetricAlarm[];
  readonly NextToken?: string;
}

/** The CloudWatch operations that Milepost uses. */
export interface CloudWatch {
  /** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
  getMetricData(input: GetMetricDataInput): Promise<GetMetricDataOutput>;
  /** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html */
  describeAlarms(input: DescribeAlarmsInput): Promise<DescribeAlarmsOutput>;
}

/**
 * Creates a CloudWatch client. The client uses the JSON protocol, one of the protocols declared in the AWS SDKs'
 * service model.
 */
export function cloudWatch(options: ServiceOptions): CloudWatch {
  const send = jsonService(options, {
    service: 'monitoring',
    version: '1.0',
    target: 'GraniteServiceVersion20100801',
  });
  return {
    getMetricData: (input) => send('GetMetricData', input),
    describeAlarms: (input) => send('DescribeAlarms', input),
  };
}
