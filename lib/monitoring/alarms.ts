import { Duration } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { CustomerPages } from '../api/customer-pages.ts';
import type { Api } from '../api/http-api.ts';
import type { Clock } from '../pipeline/clock.ts';
import type { Dispatcher } from '../pipeline/dispatcher.ts';
import type { NotificationStream } from '../pipeline/notification-stream.ts';
import type { Publisher } from '../pipeline/publisher.ts';
import { type AlarmDefinition, addAlarm } from './add-alarm.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

export interface AlarmsProps {
  readonly dispatcher: Dispatcher;
  readonly notificationStream?: NotificationStream;
  readonly publisher?: Publisher;
  readonly api: Api;
  readonly customerPages?: CustomerPages;
  readonly clock: Clock;
  readonly metrics: TrackerMetrics;
  readonly iteratorAge: Duration;
  readonly topic?: ITopic;
}

/**
 * Alarms for what people have to look at: events that are late, set aside, or given up, and what
 * fails again and again. What passes by itself within a minute or two rings none of them. Each has a
 * section of its name in docs/operations.md.
 */
export class Alarms extends Construct {
  readonly #topic: ITopic | undefined;
  /** Grows with each model. */
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.#topic = props.topic;
    for (const wanted of alarmDefinitions(props)) this.#add(wanted.name, wanted);
  }

  /** Alarms for a model's function. */
  addModel(id: string, fn: Function): void {
    this.#add(`ModelErrors-${id}`, {
      name: 'ModelErrors',
      description: `the Lambda of the model ${id} fails as a whole, again and again`,
      metric: fn.metricErrors(),
      ...sustained,
    });
    this.#add(`ModelThrottles-${id}`, {
      name: 'ModelThrottles',
      description: `the Lambda of the model ${id} may not run as often as it should`,
      metric: fn.metricThrottles(),
      ...sustained,
    });
  }

  #add(id: string, wanted: AlarmDefinition): void {
    const metric = wanted.metric.with({ period: Duration.minutes(1) });
    this.all.push(addAlarm(this, id, { ...wanted, metric }, this.#topic));
  }
}

/** A retry or a new deployment is over sooner. */
const sustained = { periods: 3, of: 5 } as const;

// Metrics made from a log may come a minute late: one alone is enough, whenever it comes.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Alarms.html
const anyOccurrence = { periods: 1, of: 5 } as const;

function alarmDefinitions({
  metrics,
  api,
  customerPages,
  iteratorAge,
  notificationStream,
  publisher,
  ...props
}: AlarmsProps): AlarmDefinition[] {
  const { function: dispatcher } = props.dispatcher;
  return [
    {
      name: 'IteratorAge',
      description: 'events wait on the stream for longer than they should',
      metric: dispatcher.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: iteratorAge.toMilliseconds(),
      periods: 3, // a cold start or one retry is over sooner
    },
    {
      name: 'DeadLetters',
      description: 'records arrived that are no events of a known model; see the dead letters',
      metric: metrics.total('DeadLetters'),
      ...anyOccurrence,
    },
    {
      name: 'Parked',
      description: 'a model fails on events, which wait with their instances',
      metric: metrics.total('Parked'),
      ...anyOccurrence,
    },
    {
      name: 'GivenUp',
      description: 'records were given up after all retries, and are in the failure bucket',
      metric: props.dispatcher.metricOfSource('OnFailureDestinationDeliveredEventCount'),
    },
    {
      name: 'Dropped',
      description: 'records were given up and not kept; they are on the stream until they expire',
      metric: props.dispatcher.metricOfSource('DroppedEventCount'),
    },
    {
      name: 'DispatcherErrors',
      description: 'the dispatcher fails as a whole, again and again',
      metric: dispatcher.metricErrors(),
      ...sustained,
    },
    {
      name: 'DispatcherThrottles',
      description: 'the dispatcher may not run as often as it should; see the concurrency limit',
      metric: dispatcher.metricThrottles(),
      ...sustained,
    },
    {
      name: 'ApiErrors',
      description: 'the HTTP API answers that something is wrong on our side',
      metric: api.httpApi.metricServerError({ statistic: Stats.SUM }),
      ...sustained,
    },
    {
      name: 'ApiThrottles',
      description: "the HTTP API's Lambda may not run as often as it is asked",
      metric: api.function.metricThrottles(),
      ...sustained,
    },
    ...(customerPages
      ? [
          {
            name: 'CustomerPagesThrottles',
            description: "customers' status pages are asked for more often than they may be",
            metric: customerPages.function.metricThrottles(),
            ...sustained,
          },
        ]
      : []),
    {
      name: 'ClockErrors',
      description: 'the clock fails, or may not run: timers are late',
      // Runs that failed, and those that were not let run: neither is tried again.
      metric: props.clock.function.metric('AsyncEventsDropped', { statistic: Stats.SUM }),
      ...sustained,
    },
    ...(notificationStream ? [streamAlarm(notificationStream)] : []),
    ...(publisher ? publisherAlarms(publisher, metrics, iteratorAge) : []),
  ];
}

function streamAlarm(stream: NotificationStream): AlarmDefinition {
  return {
    name: 'NotificationThrottles',
    description:
      'the stream of notifications takes no more, and events wait for it: it needs shards',
    metric: stream.metricPutRecordsThrottledRecords({ statistic: Stats.SUM }),
    ...sustained,
  };
}

function publisherAlarms(
  publisher: Publisher,
  metrics: TrackerMetrics,
  age: Duration,
): AlarmDefinition[] {
  return [
    {
      name: 'NotificationAge',
      description: 'notifications wait on their stream for longer than they should',
      metric: publisher.function.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: age.toMilliseconds(),
      periods: 3,
    },
    {
      name: 'PublisherErrors',
      description: 'the publisher of notifications fails as a whole, again and again',
      metric: publisher.function.metricErrors(),
      ...sustained,
    },
    {
      name: 'RefusedNotifications',
      description: 'EventBridge refused notifications permanently; see the dead letters',
      metric: metrics.total('RefusedNotifications'),
      ...anyOccurrence,
    },
    {
      name: 'NotificationsGivenUp',
      description: 'notifications were given up after all retries, and are in the failure bucket',
      metric: publisher.metricOfSource('OnFailureDestinationDeliveredEventCount'),
    },
    {
      name: 'NotificationsDropped',
      description:
        'notifications were given up and not kept; they are on their stream until they expire',
      metric: publisher.metricOfSource('DroppedEventCount'),
    },
  ];
}
