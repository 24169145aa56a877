import type { Alarm, Metric, MetricValue, Monitoring } from '../../api/checks/installation.ts';
import type { Clock } from '../../common/clock.ts';
import type { CloudWatch, MetricAlarm, MetricDataQuery } from '../client/cloudwatch.ts';

/** The maximum number of alarms per request. */
const pageSize = 100;
/**
 * The maximum number of requests. Five pages can contain all alarms of a stack, because CloudFormation limits a stack to
 * 500 resources. The other five pages leave room for alarms of other stacks whose names start with this stack's name.
 */
const maximumPages = 10;

export interface CloudWatchMonitoringOptions {
  readonly client: CloudWatch;
  /** The prefix of alarm names that CloudFormation generates: the stack's name, followed by a hyphen. */
  readonly alarmPrefix: string;
  readonly clock: Clock;
}

export class CloudWatchMonitoring implements Monitoring {
  readonly #options: CloudWatchMonitoringOptions;

  constructor(options: CloudWatchMonitoringOptions) {
    this.#options = options;
  }

  async values(metrics: readonly Metric[], minutes: number): Promise<MetricValue[][]> {
    const now = Math.floor(this.#options.clock.now() / 1_000);
    const { MetricDataResults = [] } = await this.#options.client.getMetricData({
      MetricDataQueries: metrics.map((metric, n) => metricQuery(`m${n}`, metric)),
      StartTime: now - minutes * 60,
      EndTime: now,
      ScanBy: 'TimestampDescending',
    });
    return metrics.map((_, n) => {
      const { Timestamps = [], Values = [] } =
        MetricDataResults.find(({ Id }) => Id === `m${n}`) ?? {};
      return Timestamps.map((at, i) => ({ at: at * 1_000, value: Values[i] ?? 0 }));
    });
  }

  async alarms(): Promise<Alarm[]> {
    const alarms: MetricAlarm[] = [];
    let NextToken: string | undefined;
    for (let page = 0; page < maximumPages; page++) {
      const found = await this.#options.client.describeAlarms({
        AlarmNamePrefix: this.#options.alarmPrefix,
        AlarmTypes: ['MetricAlarm'],
        MaxRecords: pageSize,
        ...(NextToken && { NextToken }),
      });
      alarms.push(...(found.MetricAlarms ?? []));
      ({ NextToken } = found);
      if (!NextToken) break;
    }
    return alarms
      .filter((alarm) => this.#isOfStack(alarm))
      .map(({ AlarmName = '', StateValue, ActionsEnabled = true, AlarmActions = [] }) => ({
        name: AlarmName,
        isRaised: StateValue === 'ALARM',
        hasAction: ActionsEnabled && AlarmActions.length > 0,
      }));
  }

  /**
   * Returns false for an alarm of another stack whose name starts with this stack's name, such as `Milepost-Staging`. A
   * generated name consists of the stack's name, a logical id, and random characters, joined by hyphens, and only the
   * stack's name can itself contain hyphens.
   */
  #isOfStack({ AlarmName = '' }: MetricAlarm): boolean {
    return AlarmName.slice(this.#options.alarmPrefix.length).split('-').length <= 2;
  }
}

/**
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 * @see https://docs.aws.amazon.com/streams/latest/dev/monitoring-with-cloudwatch.html
 */
function metricQuery(Id: string, metric: Metric): MetricDataQuery {
  const ofMinute = (
    Namespace: string,
    MetricName: string,
    dimension: readonly [string, string],
    Stat: 'Sum' | 'Maximum',
  ): MetricDataQuery => {
    const Dimensions = [{ Name: dimension[0], Value: dimension[1] }];
    return { Id, MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: 60, Stat } };
  };
  switch (metric.kind) {
    case 'iterator age':
      return ofMinute(
        'AWS/Lambda',
        'IteratorAge',
        ['FunctionName', metric.functionName],
        'Maximum',
      );
    case 'invocations':
      return ofMinute('AWS/Lambda', 'Invocations', ['FunctionName', metric.functionName], 'Sum');
    case 'incoming records':
      return ofMinute('AWS/Kinesis', 'IncomingRecords', ['StreamName', metric.stream], 'Sum');
  }
}
