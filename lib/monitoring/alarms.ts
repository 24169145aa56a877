import { Duration } from 'aws-cdk-lib';
import { type Alarm, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { CustomerPages } from '../api/customer-pages.ts';
import type { Api } from '../api/http-api.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { Clock } from '../pipeline/clock.ts';
import type { Counter } from '../pipeline/counter.ts';
import type { DeadLetterQueue } from '../pipeline/dead-letter-queue.ts';
import type { Dispatcher } from '../pipeline/dispatcher.ts';
import { dispatcherTimeout } from '../pipeline/dispatcher-time.ts';
import type { NotificationStream } from '../pipeline/notification-stream.ts';
import type { Publisher } from '../pipeline/publisher.ts';
import { type AlarmDefinition, addAlarm, anyOccurrence, sustained } from './add-alarm.ts';
import { capacityAlarms } from './capacity-alarms.ts';
import { type ConsumerAlarmTexts, consumerAlarms } from './consumer-alarms.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

export interface AlarmsProps {
  readonly stream: Stream;
  readonly dispatcher: Dispatcher;
  readonly notificationStream?: NotificationStream;
  readonly publisher?: Publisher;
  /** The dead-letter queue of the tracker's own bus; undefined without an encryption key. */
  readonly busDeadLetters?: DeadLetterQueue;
  readonly api: Api;
  readonly customerPages?: CustomerPages;
  readonly clock: Clock;
  readonly counter: Counter;
  /** The instances table if its capacity is provisioned. */
  readonly provisionedTable?: Table;
  readonly hasCanary: boolean;
  readonly signingKeys: SigningKeys;
  readonly metrics: TrackerMetrics;
  readonly iteratorAge: Duration;
  readonly topic?: ITopic;
}

/**
 * Alarms for problems that require someone to act: late, parked, or discarded events, repeated failures, and parts that
 * stop working without an error. Most failures that resolve themselves within two minutes raise no alarm. Each alarm
 * has a section of the same name in docs/how-to/respond-to-alarms.md.
 *
 * Most alarms ignore missing data, because Lambda reports nothing about a function that is not invoked. Other alarms
 * therefore watch the parts that can stop without an error: the clock must report a successful run at least every five
 * minutes, and it checks that the event source mappings read their streams.
 */
export class Alarms extends Construct {
  readonly #topic: ITopic | undefined;
  /** All alarms. Each added model and EventBridge source appends its alarms. */
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
      description: `the Lambda function of the model ${id} keeps failing`,
      metric: fn.metricErrors(),
      ...sustained,
    });
    this.#add(`ModelThrottles-${id}`, {
      name: 'ModelThrottles',
      description: `the Lambda function of the model ${id} is throttled`,
      metric: fn.metricThrottles(),
      ...sustained,
    });
  }

  #add(id: string, wanted: AlarmDefinition): void {
    this.all.push(addAlarm(this, id, wanted, this.#topic));
  }
}

function alarmDefinitions(props: AlarmsProps): AlarmDefinition[] {
  const { stream, dispatcher, iteratorAge, notificationStream, publisher, busDeadLetters } = props;
  return [
    ...consumerAlarms(
      {
        function: dispatcher.function,
        source: dispatcher.source,
        consumer: dispatcher.consumer,
        stream,
      },
      dispatcherTexts,
      iteratorAge,
    ),
    timeoutAlarm(dispatcher),
    ...(dispatcher.consumer ? [missingRecordsAlarm(props)] : []),
    ...eventAlarms(props.metrics),
    ...clockAlarms(props.clock, props.metrics),
    ...counterAlarms(props.counter, props.metrics),
    ...(props.provisionedTable ? capacityAlarms(props.provisionedTable, props.clock.function) : []),
    ...(props.hasCanary ? [canaryAlarm(props.metrics)] : []),
    ...apiAlarms(props),
    ...keyAlarms(props.signingKeys),
    ...(notificationStream ? [streamAlarm(notificationStream)] : []),
    ...(notificationStream && publisher
      ? [
          ...consumerAlarms(
            {
              function: publisher.function,
              source: publisher.source,
              stream: notificationStream,
            },
            publisherTexts,
            iteratorAge,
          ),
          refusalAlarm(props.metrics),
        ]
      : []),
    ...(busDeadLetters ? [undeliveredAlarm(busDeadLetters)] : []),
  ];
}

const dispatcherTexts: ConsumerAlarmTexts = {
  age: { name: 'IteratorAge', description: 'events wait too long on the stream' },
  streamAge: { name: 'StreamAge', description: 'a reader of the stream is falling behind' },
  unread: { name: 'Unread', description: 'events arrive, but the dispatcher is not invoked' },
  errors: { name: 'DispatcherErrors', description: 'the dispatcher keeps failing' },
  throttles: {
    name: 'DispatcherThrottles',
    description: 'the dispatcher is throttled; check the concurrency limit',
  },
  givenUp: {
    name: 'GivenUp',
    description: 'records failed after all retries and were moved to the failure bucket',
  },
  dropped: {
    name: 'Dropped',
    description:
      'records failed after all retries and could not be saved; they remain on the stream until they expire',
  },
};

const publisherTexts: ConsumerAlarmTexts = {
  age: { name: 'NotificationAge', description: 'notifications wait too long on their stream' },
  streamAge: {
    name: 'NotificationStreamAge',
    description: 'a reader of the notification stream is falling behind',
  },
  unread: {
    name: 'NotificationsUnread',
    description: 'notifications arrive, but the publisher is not invoked',
  },
  errors: {
    name: 'PublisherErrors',
    description: 'the publisher of notifications keeps failing',
  },
  throttles: {
    name: 'PublisherThrottles',
    description: 'the publisher of notifications is throttled',
  },
  givenUp: {
    name: 'NotificationsGivenUp',
    description: 'notifications failed after all retries and were moved to the failure bucket',
  },
  dropped: {
    name: 'NotificationsDropped',
    description:
      'notifications failed after all retries and could not be saved; they remain on their stream until they expire',
  },
};

/**
 * Defines an alarm that goes off after a single timeout, which is never a transient fault. The alarm DispatcherErrors
 * can miss repeated timeouts, because an invocation times out only after 15 minutes. The metrics of an invocation
 * have the timestamp of its start, so the metrics of a timed-out invocation are 15 minutes old when they appear.
 */
function timeoutAlarm({ function: fn }: Dispatcher): AlarmDefinition {
  return {
    name: 'DispatcherTimeouts',
    description: 'the dispatcher ran until its timeout',
    metric: fn.metricDuration({ statistic: Stats.MAXIMUM }),
    limit: dispatcherTimeout.toMilliseconds() - 1_000,
    of: dispatcherTimeout.toMinutes() + 10,
  };
}

/**
 * Defines an alarm that goes off after three consecutive periods of 15 minutes in which fewer records arrived at the
 * dispatcher than on the stream, although the dispatcher keeps up. A healthy system can have two such periods: one
 * because a record that arrives at the end of a period is counted in the next period, and one because the dispatcher's
 * metric is a few minutes late. The tolerance is 1%.
 */
function missingRecordsAlarm({ stream, dispatcher, metrics }: AlarmsProps): AlarmDefinition {
  const { function: fn } = dispatcher;
  return {
    name: 'MissingRecords',
    description: 'Lambda does not pass all records of the stream to the dispatcher',
    metric: new MathExpression({
      expression: 'incoming * 99 > records * 100 AND invocations > 0 AND age < 60000',
      usingMetrics: {
        incoming: stream.metricIncomingRecords({ statistic: Stats.SUM }),
        records: metrics.total('Records'),
        invocations: fn.metricInvocations(),
        age: fn.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      },
    }),
    period: Duration.minutes(15),
    periods: 3,
  };
}

function eventAlarms(metrics: TrackerMetrics): AlarmDefinition[] {
  return [
    {
      name: 'DeadLetters',
      description: 'records are not valid events of a known model; see the dead letters',
      metric: metrics.total('DeadLetters'),
      ...anyOccurrence,
    },
    {
      name: 'Parked',
      description:
        'events are parked, because a model fails on them or AWS rejects them, and block their instances',
      metric: metrics.total('Parked'),
      ...anyOccurrence,
    },
  ];
}

function clockAlarms({ function: fn }: Clock, metrics: TrackerMetrics): AlarmDefinition[] {
  return [
    {
      name: 'ClockErrors',
      description: 'the clock fails or does not run, so timers are late',
      // A clock that is disabled or throttled emits neither metric, so the expression has no data.
      metric: new MathExpression({
        expression: 'errors >= invocations',
        usingMetrics: { errors: fn.metricErrors(), invocations: fn.metricInvocations() },
      }),
      periods: 5,
      requiresData: true,
    },
    {
      name: 'EventSources',
      description: 'an event source mapping is disabled or cannot invoke its function',
      metric: metrics.total('FaultyEventSources'),
      ...sustained,
    },
  ];
}

function counterAlarms({ function: fn }: Counter, metrics: TrackerMetrics): AlarmDefinition[] {
  return [
    {
      name: 'CountsBehind',
      description:
        'changes to instances wait to be counted; after a day, they are lost and the counts stay wrong',
      metric: fn.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      period: Duration.minutes(5),
      limit: Duration.minutes(15).toMilliseconds(),
    },
    {
      name: 'CounterErrors',
      description: 'the function that counts instances keeps failing',
      metric: fn.metricErrors(),
      ...sustained,
    },
    {
      name: 'CounterThrottles',
      description: 'the function that counts instances is throttled',
      metric: fn.metricThrottles(),
      ...sustained,
    },
    {
      name: 'LostCounts',
      description: 'DynamoDB rejected counter updates; rebuild the counters',
      metric: metrics.total('LostCounts'),
      ...anyOccurrence,
    },
  ];
}

/** Defines the alarm of the canary. A failed run records no latency, so missing data counts as a failure. */
function canaryAlarm(metrics: TrackerMetrics): AlarmDefinition {
  return {
    name: 'Canary',
    description: 'an event sent through the pipeline does not become readable',
    metric: metrics.canaryLatency(),
    limit: Duration.seconds(30).toMilliseconds(),
    periods: 5,
    requiresData: true,
  };
}

function apiAlarms({ api, customerPages }: AlarmsProps): AlarmDefinition[] {
  return [
    {
      name: 'ApiErrors',
      description: 'the HTTP API returns server errors (5xx)',
      metric: api.httpApi.metricServerError({ statistic: Stats.SUM }),
      ...sustained,
    },
    {
      name: 'ApiThrottles',
      description: 'the Lambda function of the HTTP API is throttled',
      metric: api.function.metricThrottles(),
      ...sustained,
    },
    ...(customerPages
      ? [
          {
            name: 'CustomerPagesThrottles',
            description: 'the Lambda function of customer status pages is throttled',
            metric: customerPages.function.metricThrottles(),
            ...sustained,
          },
        ]
      : []),
  ];
}

function keyAlarms({ rotation }: SigningKeys): AlarmDefinition[] {
  if (!rotation) return [];
  return [
    {
      name: 'KeyRotationErrors',
      description: 'a rotation of the signing keys failed',
      metric: rotation.function.metricErrors(),
      ...anyOccurrence,
    },
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

function refusalAlarm(metrics: TrackerMetrics): AlarmDefinition {
  return {
    name: 'RefusedNotifications',
    description: 'EventBridge rejected notifications permanently; see the dead letters',
    metric: metrics.total('RefusedNotifications'),
    ...anyOccurrence,
  };
}

function undeliveredAlarm(deadLetters: DeadLetterQueue): AlarmDefinition {
  return {
    name: 'UndeliveredNotifications',
    description: 'the bus cannot use the encryption key; see the dead-letter queue',
    metric: deadLetters.metricUndelivered(),
  };
}
