import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { instanceIndexes } from '../storage/instance-indexes.ts';
import type { AlarmDefinition } from './add-alarm.ts';

/**
 * The alarm goes off if requests are throttled in ten of the last twenty minutes. Auto scaling reacts after two minutes
 * above its target and needs a few more to add capacity, so shorter throttling ends without intervention.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html
 */
const longerThanScaling = { periods: 10, of: 20 } as const;

/**
 * Defines the alarms for provisioned capacity. They go off if DynamoDB throttles the instances table or one of
 * its indexes for longer than auto scaling needs to add capacity. The maximum capacity is then too low.
 *
 * @param clock the function that runs every minute.
 */
export function capacityAlarms(table: Table, clock: Function): AlarmDefinition[] {
  return [
    {
      name: 'WriteThrottles',
      description: 'writes to the instances table exceed its provisioned capacity, so events wait',
      metric: throttles(table, clock, 'WriteThrottleEvents'),
      ...longerThanScaling,
    },
    {
      name: 'ReadThrottles',
      description: 'reads from the instances table exceed its provisioned capacity',
      metric: throttles(table, clock, 'ReadThrottleEvents'),
      ...longerThanScaling,
    },
  ];
}

/**
 * Returns an expression for the number of throttled requests to the table and its indexes. DynamoDB reports no value
 * for a minute without throttling, and an alarm on a DynamoDB metric then keeps its state, regardless of its setting
 * for missing data. The expression therefore adds the number of the clock's runs, multiplied by 0 so that it has a
 * value in every minute.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
function throttles({ tableName }: Table, clock: Function, metricName: string): MathExpression {
  const of = (dimensions: Record<string, string>) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName, ...dimensions },
      statistic: Stats.SUM,
    });
  const resources = [
    of({}),
    ...instanceIndexes.map(({ name }) => of({ GlobalSecondaryIndexName: name })),
  ];
  const throttled = resources.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: ['0 * runs', ...throttled.map(([id]) => id)].join(' + '),
    usingMetrics: {
      runs: clock.metricInvocations(),
      ...Object.fromEntries(throttled),
    },
  });
}
