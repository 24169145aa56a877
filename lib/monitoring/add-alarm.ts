import {
  Alarm,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** An alarm that somebody has to look at. */
export interface AlarmDefinition {
  /** Its section in docs/operations.md. */
  readonly name: string;
  readonly description: string;
  readonly metric: Metric;
  /** Goes off above this; 0 if not given. */
  readonly limit?: number;
  /** In how many periods of the metric it must be above; 1 if not given. */
  readonly periods?: number;
  /** Of how many; as many if not given. */
  readonly of?: number;
}

/** Makes an alarm, which tells the topic where there is one. */
export function addAlarm(
  scope: Construct,
  id: string,
  { name, description, metric, limit = 0, periods = 1, of = periods }: AlarmDefinition,
  topic: ITopic | undefined,
): Alarm {
  const alarm = new Alarm(scope, id, {
    alarmDescription: `Milepost: ${description}. What to do: docs/operations.md#${name.toLowerCase()}`,
    metric,
    threshold: limit,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm: periods,
    evaluationPeriods: of,
    // A quiet stream has no data, and nothing wrong.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  if (topic) alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}
