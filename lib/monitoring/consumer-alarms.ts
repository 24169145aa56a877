import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Stream, StreamConsumer } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type {
  KinesisConsumerEventSource,
  KinesisEventSource,
} from 'aws-cdk-lib/aws-lambda-event-sources';
import { type AlarmDefinition, anyOccurrence, sustained } from './add-alarm.ts';

/** A function that reads a stream. */
export interface StreamReader {
  readonly function: Function;
  readonly stream: Stream;
  readonly source: KinesisEventSource | KinesisConsumerEventSource;
  /** The consumer to which Kinesis pushes records; undefined if Lambda reads the shards. */
  readonly consumer?: StreamConsumer;
}

/** The alarms of a function that reads a stream, by the problem that they report. */
export interface ConsumerAlarms {
  readonly age: AlarmDefinition;
  readonly streamAge: AlarmDefinition;
  readonly unread: AlarmDefinition;
  readonly errors: AlarmDefinition;
  readonly throttles: AlarmDefinition;
  readonly givenUp: AlarmDefinition;
  readonly dropped: AlarmDefinition;
}

export type ConsumerAlarmTexts = Readonly<
  Record<keyof ConsumerAlarms, Pick<AlarmDefinition, 'name' | 'description'>>
>;

/**
 * Defines the alarms of a function that reads a stream. The metrics of the function exist only while it is invoked, so
 * other alarms watch the stream itself.
 *
 * @param ageLimit the age of records above which the alarms `age` and `streamAge` go off.
 */
export function consumerAlarms(
  { function: fn, stream, source, consumer }: StreamReader,
  texts: ConsumerAlarmTexts,
  ageLimit: Duration,
): AlarmDefinition[] {
  const alarms: ConsumerAlarms = {
    age: {
      ...texts.age,
      metric: fn.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      limit: ageLimit.toMilliseconds(),
      ...sustained,
    },
    streamAge: {
      ...texts.streamAge,
      metric: consumer
        ? pushedAge(stream, consumer)
        : stream.metricGetRecordsIteratorAgeMilliseconds({ statistic: Stats.MAXIMUM }),
      limit: ageLimit.toMilliseconds(),
      // The age peaks briefly when Lambda restarts a reader of an idle stream.
      periods: 10,
      of: 15,
    },
    unread: { ...texts.unread, ...unreadRecords(stream, fn) },
    errors: { ...texts.errors, metric: fn.metricErrors(), ...sustained },
    throttles: { ...texts.throttles, metric: fn.metricThrottles(), ...sustained },
    givenUp: {
      ...texts.givenUp,
      metric: sourceMetric(source, 'OnFailureDestinationDeliveredEventCount'),
      ...anyOccurrence,
    },
    dropped: {
      ...texts.dropped,
      metric: sourceMetric(source, 'DroppedEventCount'),
      ...anyOccurrence,
    },
  };
  return Object.values(alarms);
}

/**
 * Returns an alarm condition that is met by two consecutive periods of 15 minutes in which records arrived but the
 * function was not invoked. A healthy system can have a single such period: Lambda may read a record that arrives at
 * the end of a period in the next period, which then has an invocation. Missing values count as 0, so a function
 * without metrics is treated as not invoked.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function unreadRecords(
  stream: Stream,
  fn: Function,
): Pick<AlarmDefinition, 'metric' | 'period' | 'periods'> {
  return {
    metric: new MathExpression({
      // The expression is greater than 0 only if there were no invocations: no stream accepts a billion records per
      // invocation.
      expression: 'incoming > 1000000000 * invocations',
      usingMetrics: {
        incoming: stream.metricIncomingRecords({ statistic: Stats.SUM }),
        invocations: fn.metricInvocations(),
      },
    }),
    period: Duration.minutes(15),
    periods: 2,
  };
}

/**
 * Returns the metric for the age of pushed records, which differs from the metric for records that Lambda reads.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/monitoring-with-cloudwatch.html
 */
function pushedAge(stream: Stream, consumer: StreamConsumer): Metric {
  return new Metric({
    namespace: 'AWS/Kinesis',
    metricName: 'SubscribeToShardEvent.MillisBehindLatest',
    dimensionsMap: {
      StreamName: stream.streamName,
      ConsumerName: consumer.streamConsumerName,
    },
    statistic: Stats.MAXIMUM,
  });
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics */
function sourceMetric(
  { eventSourceMappingId }: StreamReader['source'],
  metricName: string,
): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
    statistic: Stats.SUM,
  });
}
