import { Duration } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { NotificationFilter } from '../../src/publisher/notification-filter.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { acknowledgeFailureKeys, deliverTo, recordAgeOf } from './dispatcher.ts';
import type { NotificationStream } from './notification-stream.ts';

export interface PublisherProps extends ServiceProps {
  readonly stream: NotificationStream;
  readonly eventBus: IEventBus;
  /** The notifications to publish. Default: all. */
  readonly busFilter?: NotificationFilter;
  readonly tables: Tables;
  /** The bucket for records that are too old to be retried. */
  readonly failures: Bucket;
  readonly metrics: TrackerMetrics;
}

/**
 * The publisher with its event source. The event source has the same settings as the dispatcher's event source, for the
 * same reasons: unlimited attempts, and a maximum age slightly below the stream's retention. An EventBridge outage
 * therefore loses nothing: records that are discarded after a long outage are saved to the dispatcher's failure bucket.
 * Notifications that EventBridge rejects permanently are not retried: the function stores them as dead letters.
 *
 * A timeout of one minute is enough to publish a record of 50 notifications, even if each request to EventBridge takes
 * the maximum of 9 seconds.
 */
export class Publisher extends ServiceFunction {
  readonly source: KinesisEventSource;
  /** The age from which Lambda discards records. */
  readonly recordAge: Duration;

  constructor(scope: Construct, id: string, props: PublisherProps) {
    const { stream, eventBus, busFilter, failures } = props;
    const { deadLetters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'publisher',
      description: 'Milepost: publishes notifications on the bus',
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment: {
        // Use the ARN, because a name does not identify a bus in another account.
        MILEPOST_BUS: eventBus.eventBusArn,
        ...(busFilter && { MILEPOST_NOTIFICATION_FILTER: JSON.stringify(busFilter) }),
        MILEPOST_DEAD_LETTERS_TABLE: deadLetters.tableName,
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    eventBus.grantPutEventsTo(this.function);
    grantTable(deadLetters, this.function, 'PutItem', 'PartiQLInsert');
    acknowledgeFailureKeys(this.role, failures);
    // Two hours are enough to save discarded records, even right after a Lambda outage.
    this.recordAge = recordAgeOf(stream.retention, Duration.hours(2));
    this.source = new KinesisEventSource(stream, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 500,
      maxBatchingWindow: Duration.seconds(0),
      parallelizationFactor: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: -1,
      maxRecordAge: this.recordAge,
      onFailure: deliverTo(failures),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    this.function.addEventSource(this.source);
  }
}
