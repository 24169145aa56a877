import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** The names of the metrics that exist for each model. */
export type ModelMetric =
  | 'Applied'
  | 'Rejected'
  | 'Duplicates'
  | 'Parked'
  | 'DeadLetters'
  | 'Conflicts'
  | 'Age';

/** The names of the metrics that cover all models together. */
export type TotalMetric =
  | 'DeadLetters'
  | 'Parked'
  | 'RefusedNotifications'
  | 'FaultyEventSources'
  | 'LostCounts'
  | 'UnarchivedCommits'
  | 'Records';

/** The metrics that the functions of a tracker write to their logs, from which CloudWatch extracts them. */
export class TrackerMetrics {
  readonly namespace: string;

  /** @param streamName unique in an account and region so that two trackers never share a metric. */
  constructor(streamName: string) {
    this.namespace = `Milepost/${streamName}`;
  }

  /** Returns a metric that covers all models. Alarms use such metrics, so they exist even without `modelMetrics`. */
  total(metricName: TotalMetric): Metric {
    return new Metric({ namespace: this.namespace, metricName, statistic: Stats.SUM });
  }

  /**
   * Returns the metric of the canary's latency, in milliseconds: the time from the put of its event until the status is
   * readable.
   */
  canaryLatency(): Metric {
    return new Metric({
      namespace: this.namespace,
      metricName: 'CanaryLatency',
      statistic: Stats.MAXIMUM,
    });
  }

  /** Returns an expression that draws a line for each model that emits the metric. */
  byModel(metricName: ModelMetric, statistic: string): MathExpression {
    const minute = Duration.minutes(1);
    return new MathExpression({
      expression: `SEARCH('{"${this.namespace}","model"} MetricName="${metricName}"', '${statistic}', ${minute.toSeconds()})`,
      label: `\${PROP('Dim.model')}`,
      period: minute,
    });
  }
}
