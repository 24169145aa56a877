import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Api } from '../api/http-api.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

export interface DashboardProps {
  readonly stream: Stream;
  /** Where notifications are published. */
  readonly notificationStream?: Stream;
  /** Where they are published on a bus. */
  readonly publisher?: Function;
  readonly instances: Table;
  /** By what the dashboard calls them. */
  readonly functions: Readonly<Record<string, Function>>;
  readonly dispatcher: Function;
  readonly api: Api;
  readonly metrics: TrackerMetrics;
  /** Whether there are metrics of each model. */
  readonly modelMetrics: boolean;
  readonly alarms: Alarm[];
}

const minute = Duration.minutes(1);
const sum = { statistic: Stats.SUM, period: minute };
const maximum = { statistic: Stats.MAXIMUM, period: minute };

/** Everything about a tracker on one page, from what comes in to what it is kept in. */
export class Dashboard extends Construct {
  /** What each function's lines are drawn in. */
  readonly #lambda = {
    errors: graph('Lambda: errors'),
    throttles: graph('Lambda: throttles'),
    duration: graph('Lambda: duration, p99'),
    concurrency: graph('Lambda: at once'),
  };

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(3),
    });
    // The alarms of models come into this very array later.
    const { alarms } = props;
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 }));
    dashboard.addWidgets(...streamRow(props));
    if (props.modelMetrics) dashboard.addWidgets(...outcomesRow(props.metrics));
    dashboard.addWidgets(...failuresRow(props));
    if (props.notificationStream)
      dashboard.addWidgets(...notificationsRow(props.notificationStream, props));
    dashboard.addWidgets(...Object.values(this.#lambda));
    dashboard.addWidgets(...storageRow(props));
    for (const [name, fn] of Object.entries(props.functions)) this.addFunction(name, fn);
  }

  /** Draws a function's lines. */
  addFunction(label: string, fn: Function): void {
    const { errors, throttles, duration, concurrency } = this.#lambda;
    errors.addLeftMetric(fn.metricErrors({ ...sum, label }));
    throttles.addLeftMetric(fn.metricThrottles({ ...sum, label }));
    duration.addLeftMetric(fn.metricDuration({ statistic: 'p99', period: minute, label }));
    concurrency.addLeftMetric(fn.metric('ConcurrentExecutions', { ...maximum, label }));
  }
}

/** Four of them fill a row. */
function graph(title: string, left: readonly IMetric[] = [], width = 6): GraphWidget {
  return new GraphWidget({ title, left: [...left], width, leftYAxis: { min: 0 } });
}

function streamRow({ stream, dispatcher, api }: DashboardProps): GraphWidget[] {
  return [
    graph('Stream: records a minute', [
      stream.metricIncomingRecords({ ...sum, label: 'taken' }),
      stream.metricPutRecordsThrottledRecords({ ...sum, label: 'refused' }),
    ]),
    graph('Stream: bytes a minute', [stream.metricIncomingBytes({ ...sum, label: 'taken' })]),
    graph('Stream: how long events wait', [
      dispatcher.metric('IteratorAge', { ...maximum, label: 'oldest of a batch' }),
    ]),
    graph('API: requests a minute', [
      api.httpApi.metricCount({ ...sum, label: 'all' }),
      api.httpApi.metricClientError({ ...sum, label: '4xx' }),
      api.httpApi.metricServerError({ ...sum, label: '5xx' }),
    ]),
  ];
}

function notificationsRow(stream: Stream, { publisher, metrics }: DashboardProps): GraphWidget[] {
  return [
    graph('Notifications: records a minute', [
      stream.metricIncomingRecords({ ...sum, label: 'taken' }),
      stream.metricPutRecordsThrottledRecords({ ...sum, label: 'refused' }),
    ]),
    graph('Notifications: bytes a minute', [
      stream.metricIncomingBytes({ ...sum, label: 'taken' }),
    ]),
    ...(publisher
      ? [
          graph('Notifications: how long they wait', [
            publisher.metric('IteratorAge', { ...maximum, label: 'oldest of a batch' }),
          ]),
          graph('Notifications: refused by the bus', [
            metrics.total('RefusedNotifications').with({ ...sum, label: 'dead letters' }),
          ]),
        ]
      : []),
  ];
}

function outcomesRow(metrics: TrackerMetrics): GraphWidget[] {
  return [
    graph('Applied', [metrics.byModel('Applied', 'Sum')]),
    graph('Rejected', [metrics.byModel('Rejected', 'Sum')]),
    graph('Duplicates', [metrics.byModel('Duplicates', 'Sum')]),
    graph('Conflicts', [metrics.byModel('Conflicts', 'Sum')]),
  ];
}

function failuresRow({ metrics, modelMetrics }: DashboardProps): GraphWidget[] {
  const total = (title: string, name: 'Parked' | 'DeadLetters') =>
    graph(title, [
      metrics.total(name).with({ ...sum, label: 'all' }),
      ...(modelMetrics ? [metrics.byModel(name, 'Sum')] : []),
    ]);
  return [
    total('Parked', 'Parked'),
    total('Dead letters', 'DeadLetters'),
    ...(modelMetrics
      ? [
          graph('From event to commit, p50', [metrics.byModel('Age', 'p50')]),
          graph('From event to commit, p99', [metrics.byModel('Age', 'p99')]),
        ]
      : []),
  ];
}

function storageRow({ instances }: DashboardProps): GraphWidget[] {
  const { tableName } = instances;
  const ofTable = (metricName: string, label: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName },
      label,
      ...sum,
    });
  const ofIndexes = (metricName: string) =>
    new MathExpression({
      expression: `SEARCH('{AWS/DynamoDB,GlobalSecondaryIndexName,TableName} TableName="${tableName}" MetricName="${metricName}"', 'Sum', 60)`,
      label: `\${PROP('Dim.GlobalSecondaryIndexName')}`,
      period: minute,
    });
  return [
    graph('Instances: write units a minute', [
      ofTable('ConsumedWriteCapacityUnits', 'table'),
      ofIndexes('ConsumedWriteCapacityUnits'),
    ]),
    graph('Instances: read units a minute', [
      ofTable('ConsumedReadCapacityUnits', 'table'),
      ofIndexes('ConsumedReadCapacityUnits'),
    ]),
    graph('Instances: writes throttled', [
      ofTable('WriteThrottleEvents', 'table'),
      ofIndexes('WriteThrottleEvents'),
    ]),
    graph('Instances: reads throttled', [
      ofTable('ReadThrottleEvents', 'table'),
      ofIndexes('ReadThrottleEvents'),
    ]),
  ];
}
