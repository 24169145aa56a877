import {
  Alarm,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An alarm that requires someone to act. */
export interface AlarmDefinition {
  /** The title of its section in docs/how-to/respond-to-alarms.md. */
  readonly name: string;
  readonly description: string;
  readonly metric: Metric;
  /** The threshold: the alarm goes off above it. Default: 0. */
  readonly limit?: number;
  /** The number of periods in which the metric must exceed the threshold. Default: 1. */
  readonly periods?: number;
  /** The number of evaluated periods. Default: `periods`. */
  readonly of?: number;
}

/** Creates an alarm that notifies the topic, if there is one. */
export function addAlarm(
  scope: Construct,
  id: string,
  { name, description, metric, limit = 0, periods = 1, of = periods }: AlarmDefinition,
  topic: ITopic | undefined,
): Alarm {
  const alarm = new Alarm(scope, id, {
    alarmDescription: `Milepost: ${description}. What to do: docs/how-to/respond-to-alarms.md#${name.toLowerCase()}`,
    metric,
    threshold: limit,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm: periods,
    evaluationPeriods: of,
    // A quiet stream produces no data, which is not a problem.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  if (topic) alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}
