import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** The definition of an alarm that requires someone to act. */
export interface AlarmDefinition {
  /** The name of the alarm, which is also the title of its section in docs/how-to/respond-to-alarms.md. */
  readonly name: string;
  readonly description: string;
  readonly metric: Metric | MathExpression;
  /** The threshold above which the alarm goes off. Default: 0. */
  readonly limit?: number;
  /** The length of a period. Default: a minute. */
  readonly period?: Duration;
  /** The number of periods in which the metric must exceed the threshold. Default: 1. */
  readonly periods?: number;
  /** The number of most recent periods that the alarm evaluates. Default: the value of `periods`. */
  readonly of?: number;
  /** Whether a period without data counts as above the threshold. Default: false. */
  readonly requiresData?: boolean;
}

/**
 * The alarm goes off if failures occur in four of the last twenty minutes. Failures that a retry fixes do not raise it,
 * nor do two minutes of failures during a deployment, which can span three periods. A function that is invoked only
 * every five minutes but fails each time does raise it.
 */
export const sustained = { periods: 4, of: 20 } as const;

/**
 * The alarm goes off after a single occurrence, even if its metric arrives a few minutes late.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Alarms.html
 */
export const anyOccurrence = { periods: 1, of: 5 } as const;

/** Creates an alarm that notifies the topic, if there is one. */
export function addAlarm(
  scope: Construct,
  id: string,
  definition: AlarmDefinition,
  topic: ITopic | undefined,
): Alarm {
  const { name, description, metric, limit = 0, periods = 1, of = periods } = definition;
  const { period = Duration.minutes(1), requiresData = false } = definition;
  const alarm = new Alarm(scope, id, {
    alarmDescription: `Milepost: ${description}. What to do: docs/how-to/respond-to-alarms.md#${name.toLowerCase()}`,
    metric: metric.with({ period }),
    threshold: limit,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm: periods,
    evaluationPeriods: of,
    // Most metrics have no data on a quiet stream, which is not a problem.
    treatMissingData: requiresData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  if (topic) alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}
