import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { type FunctionProps, ServiceFunction } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { acknowledgeFailureKeys, deliverTo, maximumRecordAge, sourceMetric } from './dispatcher.ts';
import type { NotificationStream } from './notification-stream.ts';

export interface PublisherProps extends FunctionProps {
  readonly bundles: string;
  readonly stream: NotificationStream;
  readonly eventBus: IEventBus;
  readonly tables: Tables;
  /** Where records go that are too old to be tried again. */
  readonly failures: Bucket;
  readonly metrics: TrackerMetrics;
}

/**
 * How much earlier a record is given up than the stream deletes it: in this time the failure bucket has
 * to get it, also right after an outage of Lambda.
 */
const slack = Duration.hours(2);

/**
 * The publisher, what feeds it from the notification stream, and where records go that it could not
 * publish. Its event source is set up as the dispatcher's is, for the same reasons: the number of attempts
 * has no limit, and the age is a little less than the stream's retention, so that an outage of EventBridge
 * loses nothing and a record that is given up is kept in the bucket. What EventBridge refuses permanently
 * is not tried again: the function makes dead letters of it.
 *
 * A minute is enough to publish a record of 50 notifications while EventBridge takes 9 seconds for each
 * request, which is the longest that a request is waited for.
 */
export class Publisher extends ServiceFunction {
  /** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics */
  readonly metricOfSource: (metricName: string) => Metric;

  constructor(scope: Construct, id: string, props: PublisherProps) {
    const { stream, eventBus, failures } = props;
    const { deadLetters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'publisher',
      description: 'Milepost: puts notifications on the bus',
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment: {
        // By its ARN, because it may be in another account.
        MILEPOST_BUS: eventBus.eventBusArn,
        MILEPOST_DEAD_LETTERS_TABLE: deadLetters.tableName,
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    eventBus.grantPutEventsTo(this.function);
    grantTable(deadLetters, this.function, 'PutItem', 'PartiQLInsert');
    acknowledgeFailureKeys(this.role, failures);
    const source = new KinesisEventSource(stream, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 500,
      maxBatchingWindow: Duration.seconds(0),
      parallelizationFactor: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: -1,
      maxRecordAge: recordAge(stream.retention),
      onFailure: deliverTo(failures),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    this.function.addEventSource(source);
    this.metricOfSource = sourceMetric(source);
  }
}

function recordAge(retention: Duration): Duration {
  const age = retention.minus(slack);
  return age.toSeconds() > maximumRecordAge.toSeconds() ? maximumRecordAge : age;
}
