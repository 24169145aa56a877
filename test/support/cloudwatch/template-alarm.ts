import type { Template } from 'aws-cdk-lib/assertions';
import { nameOf } from '../../lib/statements.ts';
import { type AlarmState, alarmStateOf, type StateRule } from './alarm-state.ts';
import { evaluateMath } from './metric-math.ts';
import { MetricSamples, type Statistic } from './metric-samples.ts';

/** The metrics of a system, by name such as `AWS/Lambda Errors DispatcherFunction`. */
export type SystemMetrics = ReadonlyMap<string, MetricSamples>;

export interface TemplateAlarm {
  /** The path of the alarm in the tracker. */
  readonly id: string;
  readonly rule: StateRule;
  /** The length of a period, in minutes. */
  readonly period: number;
  /** A value above this threshold is breaching. */
  readonly threshold: number;
  readonly metrics: readonly AlarmMetric[];
  /** A metric math expression over the metrics. If undefined, the alarm evaluates its only metric. */
  readonly expression?: string;
}

export interface AlarmMetric {
  /** The id in the expression. */
  readonly id: string;
  readonly name: string;
  readonly statistic: Statistic;
}

/** Assumptions about undocumented behavior of CloudWatch and of the services that report to it. */
export interface Conditions {
  /** The number of periods of the evaluation range in addition to the evaluation periods, at least 1. */
  readonly extraRange: number;
  /** The number of minutes after which a value becomes visible. */
  readonly delay: number;
}

interface MetricProperties {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

export function alarmsOf(template: Template): TemplateAlarm[] {
  const found = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
  return found.map(([logicalId, { Properties: props }]) => {
    const id = nameOf({ Ref: logicalId });
    if (props.ComparisonOperator !== 'GreaterThanThreshold')
      throw new Error(`the evaluator does not support ${props.ComparisonOperator} of ${id}`);
    return {
      id,
      rule: {
        evaluationPeriods: props.EvaluationPeriods,
        datapointsToAlarm: props.DatapointsToAlarm ?? props.EvaluationPeriods,
        treatMissingData: props.TreatMissingData ?? 'missing',
      },
      threshold: props.Threshold,
      ...(props.Metrics
        ? ofMath(props.Metrics)
        : {
            period: props.Period / 60,
            metrics: [{ id: 'm', name: metricName(props), statistic: props.Statistic }],
          }),
    };
  });
}

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: MetricProperties;
    readonly Period: number;
    readonly Stat: Statistic;
  };
}

function ofMath(queries: readonly MetricQuery[]) {
  const expression = queries.find(({ Expression }) => Expression !== undefined)?.Expression;
  const stats = queries.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [{ id: Id, stat: MetricStat }] : [],
  );
  return {
    expression,
    period: stats[0]!.stat.Period / 60,
    metrics: stats.map(({ id, stat: { Metric, Stat } }) => ({
      id,
      name: metricName(Metric),
      statistic: Stat,
    })),
  };
}

/** Returns the name of a metric, such as `AWS/Lambda Errors DispatcherFunction`. */
function metricName({ Namespace, MetricName, Dimensions = [] }: MetricProperties): string {
  const of = Dimensions.map(({ Value }) => nameOf(Value));
  // Omit the kind of an event source and the hash of its stream, because its function identifies it.
  return [Namespace, MetricName, ...of]
    .join(' ')
    .replace(/Kinesis(?:Consumer)?(EventSource)Test\w+/, 'Kinesis$1');
}

/**
 * Computes the state of an alarm at the end of each minute, as CloudWatch does. Each evaluation uses periods that end
 * at that minute.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */
export function alarmStates(
  { rule, period, threshold, metrics, expression }: TemplateAlarm,
  system: SystemMetrics,
  minutes: number,
  { extraRange, delay }: Conditions,
): AlarmState[] {
  const none = new MetricSamples();
  const length = rule.evaluationPeriods + extraRange;
  const states: AlarmState[] = [];
  if (!metrics.some(({ name }) => system.has(name))) {
    const state = alarmStateOf(rule, Array.from({ length }), 'INSUFFICIENT_DATA');
    return Array.from({ length: minutes }, () => state);
  }
  for (let now = 0; now < minutes; now++) {
    const series = new Map(
      metrics.map(({ id, name, statistic }) => [
        id,
        Array.from({ length }, (_, index) => {
          const to = now + 1 - period * (length - 1 - index);
          return (system.get(name) ?? none).aggregate(statistic, to - period, to, now - delay);
        }),
      ]),
    );
    const values = expression ? evaluateMath(expression, series) : series.get(metrics[0]!.id)!;
    const range = values.map((value) => (value === undefined ? undefined : value > threshold));
    states.push(alarmStateOf(rule, range, states.at(-1) ?? 'INSUFFICIENT_DATA'));
  }
  return states;
}
