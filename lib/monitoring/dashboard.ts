import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
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
import { AlarmsWidget } from './alarms-widget.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

export interface DashboardProps {
  readonly stream: Stream;
  readonly notificationStream?: Stream;
  /** The function that publishes notifications on a bus. */
  readonly publisher?: Function;
  readonly instances: Table;
  /** The functions, by their labels on the dashboard. */
  readonly functions: Readonly<Record<string, Function>>;
  readonly dispatcher: Function;
  readonly api: Api;
  readonly hasCanary: boolean;
  readonly metrics: TrackerMetrics;
  /** Whether metrics exist for each model. */
  readonly modelMetrics: boolean;
  /** The alarms. Models add their alarms to this array later. */
  readonly alarms: readonly Alarm[];
}

const minute = Duration.minutes(1);
const sum = { statistic: Stats.SUM, period: minute };
const maximum = { statistic: Stats.MAXIMUM, period: minute };

/** A dashboard with the metrics of a tracker, from its stream to its tables. */
export class Dashboard extends Construct {
  /** The graphs that have a line for each function. */
  readonly #lambda = {
    errors: graph('Lambda: errors'),
    throttles: graph('Lambda: throttles'),
    duration: graph('Lambda: duration, p99'),
    concurrency: graph('Lambda: concurrent executions'),
  };

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(3),
    });
    dashboard.addWidgets(new AlarmsWidget(props.alarms));
    dashboard.addWidgets(...streamRow(props));
    if (props.modelMetrics) dashboard.addWidgets(...outcomesRow(props.metrics));
    dashboard.addWidgets(...failuresRow(props));
    if (props.notificationStream)
      dashboard.addWidgets(...notificationsRow(props.notificationStream, props));
    dashboard.addWidgets(...Object.values(this.#lambda));
    dashboard.addWidgets(...storageRow(props));
    for (const [name, fn] of Object.entries(props.functions)) this.addFunction(name, fn);
  }

  /** Adds a function's lines to the graphs. */
  addFunction(label: string, fn: Function): void {
    const { errors, throttles, duration, concurrency } = this.#lambda;
    errors.addLeftMetric(fn.metricErrors({ ...sum, label }));
    throttles.addLeftMetric(fn.metricThrottles({ ...sum, label }));
    duration.addLeftMetric(fn.metricDuration({ statistic: 'p99', period: minute, label }));
    concurrency.addLeftMetric(fn.metric('ConcurrentExecutions', { ...maximum, label }));
  }
}

/** Creates a graph. `width` is in columns. A row of the dashboard has 24 columns. */
function graph(title: string, left: readonly IMetric[] = [], width = 6): GraphWidget {
  return new GraphWidget({ title, left: [...left], width, leftYAxis: { min: 0 } });
}

function streamRow({ stream, dispatcher, api, hasCanary, metrics }: DashboardProps): GraphWidget[] {
  return [
    graph('Stream: records per minute', [
      stream.metricIncomingRecords({ ...sum, label: 'accepted' }),
      stream.metricPutRecordsThrottledRecords({ ...sum, label: 'refused' }),
    ]),
    graph('Stream: bytes per minute', [stream.metricIncomingBytes({ ...sum, label: 'accepted' })]),
    graph('Stream: age of events', [
      dispatcher.metric('IteratorAge', { ...maximum, label: 'newest in a batch' }),
      ...(hasCanary
        ? [metrics.canaryLatency().with({ ...maximum, label: 'canary, until readable' })]
        : []),
    ]),
    graph('API: requests per minute', [
      api.httpApi.metricCount({ ...sum, label: 'all' }),
      api.httpApi.metricClientError({ ...sum, label: '4xx' }),
      api.httpApi.metricServerError({ ...sum, label: '5xx' }),
    ]),
  ];
}

function notificationsRow(stream: Stream, { publisher, metrics }: DashboardProps): GraphWidget[] {
  return [
    graph('Notifications: records per minute', [
      stream.metricIncomingRecords({ ...sum, label: 'accepted' }),
      stream.metricPutRecordsThrottledRecords({ ...sum, label: 'refused' }),
    ]),
    graph('Notifications: bytes per minute', [
      stream.metricIncomingBytes({ ...sum, label: 'accepted' }),
    ]),
    ...(publisher
      ? [
          graph('Notifications: age', [
            publisher.metric('IteratorAge', { ...maximum, label: 'newest in a batch' }),
          ]),
          graph('Notifications: rejected by the bus', [
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
          graph('Event to commit, p50', [metrics.byModel('Age', 'p50')]),
          graph('Event to commit, p99', [metrics.byModel('Age', 'p99')]),
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
    graph('Instances: write units per minute', [
      ofTable('ConsumedWriteCapacityUnits', 'table'),
      ofIndexes('ConsumedWriteCapacityUnits'),
    ]),
    graph('Instances: read units per minute', [
      ofTable('ConsumedReadCapacityUnits', 'table'),
      ofIndexes('ConsumedReadCapacityUnits'),
    ]),
    graph('Instances: throttled writes', [
      ofTable('WriteThrottleEvents', 'table'),
      ofIndexes('WriteThrottleEvents'),
    ]),
    graph('Instances: throttled reads', [
      ofTable('ReadThrottleEvents', 'table'),
      ofIndexes('ReadThrottleEvents'),
    ]),
  ];
}
