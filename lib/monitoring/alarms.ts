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
 * Alarms for conditions that require someone to act: late, parked, or discarded events, and repeated failures. Failures
 * that resolve themselves within a minute or two raise no alarm. Each alarm has a section of the same name in
 * docs/how-to/respond-to-alarms.md.
 */
export class Alarms extends Construct {
  readonly #topic: ITopic | undefined;
  /** Grows with each added model. */
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.#topic = props.topic;
    for (const wanted of alarmDefinitions(props)) this.#add(wanted.name, wanted);
  }

  /** Adds the alarms of a model's function. */
  addModel(id: string, fn: Function): void {
    this.#add(`ModelErrors-${id}`, {
      name: 'ModelErrors',
      description: `the Lambda of the model ${id} keeps failing`,
      metric: fn.metricErrors(),
      ...sustained,
    });
    this.#add(`ModelThrottles-${id}`, {
      name: 'ModelThrottles',
      description: `the Lambda of the model ${id} is throttled`,
      metric: fn.metricThrottles(),
      ...sustained,
    });
  }

  #add(id: string, wanted: AlarmDefinition): void {
    const metric = wanted.metric.with({ period: Duration.minutes(1) });
    this.all.push(addAlarm(this, id, { ...wanted, metric }, this.#topic));
  }
}

/** Longer than a retry or a new deployment takes. */
const sustained = { periods: 3, of: 5 } as const;

// Metrics from a log may arrive a minute late. A single occurrence is enough, whenever it arrives.
//
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
      description: 'events wait too long on the stream',
      metric: dispatcher.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: iteratorAge.toMilliseconds(),
      periods: 3, // longer than a cold start or one retry takes
    },
    {
      name: 'DeadLetters',
      description: 'records are not valid events of a known model; see the dead letters',
      metric: metrics.total('DeadLetters'),
      ...anyOccurrence,
    },
    {
      name: 'Parked',
      description: 'a model fails on events; the events are parked with their instances',
      metric: metrics.total('Parked'),
      ...anyOccurrence,
    },
    {
      name: 'GivenUp',
      description: 'records failed after all retries and were moved to the failure bucket',
      metric: props.dispatcher.metricOfSource('OnFailureDestinationDeliveredEventCount'),
    },
    {
      name: 'Dropped',
      description:
        'records failed after all retries and could not be saved; they remain on the stream until they expire',
      metric: props.dispatcher.metricOfSource('DroppedEventCount'),
    },
    {
      name: 'DispatcherErrors',
      description: 'the dispatcher keeps failing',
      metric: dispatcher.metricErrors(),
      ...sustained,
    },
    {
      name: 'DispatcherThrottles',
      description: 'the dispatcher is throttled; check the concurrency limit',
      metric: dispatcher.metricThrottles(),
      ...sustained,
    },
    {
      name: 'ApiErrors',
      description: 'the HTTP API returns server errors (5xx)',
      metric: api.httpApi.metricServerError({ statistic: Stats.SUM }),
      ...sustained,
    },
    {
      name: 'ApiThrottles',
      description: "the HTTP API's Lambda is throttled",
      metric: api.function.metricThrottles(),
      ...sustained,
    },
    ...(customerPages
      ? [
          {
            name: 'CustomerPagesThrottles',
            description: "the Lambda of customers' status pages is throttled",
            metric: customerPages.function.metricThrottles(),
            ...sustained,
          },
        ]
      : []),
    {
      name: 'ClockErrors',
      description: 'the clock fails or is throttled, so timers are late',
      // Counts failed runs and throttled runs; neither is retried.
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
    description: 'the notification stream is throttled and delays events; add shards',
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
      description: 'notifications wait too long on their stream',
      metric: publisher.function.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: age.toMilliseconds(),
      periods: 3,
    },
    {
      name: 'PublisherErrors',
      description: 'the publisher of notifications keeps failing',
      metric: publisher.function.metricErrors(),
      ...sustained,
    },
    {
      name: 'RefusedNotifications',
      description: 'EventBridge rejected notifications permanently; see the dead letters',
      metric: metrics.total('RefusedNotifications'),
      ...anyOccurrence,
    },
    {
      name: 'NotificationsGivenUp',
      description: 'notifications failed after all retries and were moved to the failure bucket',
      metric: publisher.metricOfSource('OnFailureDestinationDeliveredEventCount'),
    },
    {
      name: 'NotificationsDropped',
      description:
        'notifications failed after all retries and could not be saved; they remain on their stream until they expire',
      metric: publisher.metricOfSource('DroppedEventCount'),
    },
  ];
}
