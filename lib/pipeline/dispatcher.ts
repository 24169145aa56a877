import { Duration, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Stream, StreamConsumer } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IEventSourceDlq, MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type {
  KinesisConsumerEventSource,
  KinesisEventSource,
} from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { allow } from '../allow.ts';
import { logicalId } from '../logical-id.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { requireDuration } from '../options/require-duration.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { dispatcherTimeout } from './dispatcher-time.ts';
import { deliverRecords, type RecordDelivery } from './record-delivery.ts';

export interface DispatcherProps extends ServiceProps {
  readonly stream: Stream;
  readonly streamRetention: Duration;
  readonly failureRetention: Duration;
  readonly tables: Tables;
  readonly batchSize: number;
  readonly delivery: RecordDelivery;
  readonly retryAttempts: number;
  readonly memorySize: number;
  readonly modelAttempts: number;
  readonly modelBackoff: Duration;
  readonly metrics: TrackerMetrics;
  /** Whether metrics exist for each model. */
  readonly modelMetrics: boolean;
  readonly eventDataInLogs: boolean;
  readonly encryptionKey?: IKey;
}

/** The maximum record age that Lambda supports. */
const maximumRecordAge = Duration.days(7);

/**
 * The prefix of the keys of objects that Lambda writes. The id of the event source mapping follows the prefix. The
 * function's permissions cannot include this id, because the mapping is created after the role.
 */
const failurePrefix = 'aws/lambda/';

/**
 * The dispatcher with its event source, and the bucket for records that it could not process. The publisher saves its
 * discarded records in the same bucket.
 *
 * No record may be lost, and none may block the stream permanently. The dispatcher itself completes every record
 * (applied, rejected, duplicate, parked, or dead letter) and returns records to the stream only if AWS fails or the
 * time of an invocation runs out. The settings here cover outages and failures of the dispatcher itself:
 *
 * - Reading starts at the oldest record (TRIM_HORIZON) so that events are tracked even if they were put before the
 *   first deployment ended.
 * - The dispatcher reports failed records individually (ReportBatchItemFailures). If an invocation fails as a whole,
 *   Lambda halves the batch without using up an attempt. A record that crashes the process is therefore soon
 *   isolated.
 * - By default, the number of attempts is unlimited (-1): only age determines when a record is discarded. A limit would
 *   not guarantee a minimum time for repairs: an attempt that fails immediately, for example because a table is
 *   missing, takes milliseconds, so 1,000 attempts can end within minutes. A record that is discarded during an outage
 *   loses its place in the order. Throttled invocations never count as attempts.
 * - The maximum age is half a day less than the stream's retention, and at most the 7 days that Lambda supports. A
 *   record therefore reaches the bucket before Kinesis would silently delete it. The default is 6.5 days, so an outage
 *   of a day loses nothing. With a shorter maximum age, records would be discarded without another attempt after a long
 *   outage.
 * - While a record is retried, it blocks its lane, which by default is a tenth of its shard or, with `lowLatency`, the
 *   whole shard. Blocking the lane preserves order, and during an outage all records of the lane would fail anyway.
 *   Only failures of AWS or of the dispatcher itself, and a lack of time, cause these retries. If a model fails on an
 *   event, this event and the later events of its instance are parked. An invalid record becomes a dead letter. The
 *   alarms IteratorAge, DispatcherErrors, and DispatcherThrottles go off within minutes.
 * - Discarded records are written to the bucket with their bytes and sequence numbers and raise an alarm. Failure
 *   destinations other than S3 receive only the sequence numbers.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-batchfailurereporting.html
 */
export class Dispatcher extends ServiceFunction {
  readonly failures: Bucket;
  readonly source: KinesisEventSource | KinesisConsumerEventSource;
  /** The consumer to which Kinesis pushes records; undefined if Lambda reads the shards. */
  readonly consumer?: StreamConsumer;
  /** The age from which Lambda discards records. */
  readonly recordAge: Duration;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    const { instances, registry, deadLetters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'dispatcher',
      description: 'Milepost: dispatches events from the stream to their models',
      timeout: dispatcherTimeout,
      environment: {
        MILEPOST_INSTANCES_TABLE: instances.tableName,
        MILEPOST_MODEL_ATTEMPTS: String(props.modelAttempts),
        MILEPOST_MODEL_BACKOFF_MS: String(props.modelBackoff.toMilliseconds()),
        MILEPOST_REGISTRY_TABLE: registry.tableName,
        MILEPOST_DEAD_LETTERS_TABLE: deadLetters.tableName,
        MILEPOST_STREAM: props.stream.streamName,
        MILEPOST_METRICS: props.metrics.namespace,
        ...(!props.modelMetrics && { MILEPOST_MODEL_METRICS: 'off' }),
        ...(props.eventDataInLogs && { MILEPOST_EVENT_DATA_IN_LOGS: 'on' }),
        ...(props.delivery.lowLatency && { MILEPOST_RECORD_METRIC: 'on' }),
      },
    });
    grantTable(registry, this.function, 'GetItem');
    const batches = ['PartiQLInsert', 'PartiQLDelete'];
    grantTable(deadLetters, this.function, 'GetItem', 'PutItem', 'DeleteItem', ...batches);
    // If a model fails on an event, the dispatcher parks the event in the instance's item collection.
    const single = ['PutItem', 'UpdateItem', 'DeleteItem'];
    grantTable(instances, this.function, 'BatchGetItem', 'Query', ...single, ...batches);
    // To continue a long redrive, the dispatcher puts a new record on the stream.
    props.stream.grant(this.function, 'kinesis:PutRecords');
    props.stream.encryptionKey?.grantEncrypt(this.function);

    this.failures = failureBucket(this, props);
    acknowledgeFailureKeys(this.role, this.failures);
    this.recordAge = recordAgeOf(props.streamRetention, Duration.hours(12));
    const { source, consumer } = deliverRecords(this, props.stream, props.delivery, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: props.batchSize,
      maxBatchingWindow: Duration.seconds(0),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: props.retryAttempts,
      maxRecordAge: this.recordAge,
      onFailure: deliverTo(this.failures),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    this.source = source;
    this.consumer = consumer;
    this.function.addEventSource(source);
  }
}

/**
 * Returns the age from which Lambda discards the records of a stream.
 *
 * @param slack how long a discarded record remains on the stream so that Lambda can save it to the failure bucket.
 */
export function recordAgeOf(retention: Duration, slack: Duration): Duration {
  const age = retention.minus(slack);
  return age.toSeconds() > maximumRecordAge.toSeconds() ? maximumRecordAge : age;
}

/** How long an operator can restore an expired or deleted record. */
const recoveryPeriod = Duration.days(1);

/**
 * Creates the bucket for discarded records. In a versioned bucket, an expired object remains as a noncurrent version
 * until that version expires too. A record is therefore retained for the sum of the two periods.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
function failureBucket(
  scope: Construct,
  { encryptionKey, removalPolicy, failureRetention }: DispatcherProps,
): Bucket {
  // The ring of signing keys verifies records that are at most this old: see `retentionSeconds` in key-ring.ts.
  requireDuration('`failureRetention`', failureRetention, 'days', 2, 365);
  return privateBucket(scope, 'Failures', {
    encryptionKey,
    versioned: true,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(7) },
      {
        expiration: failureRetention.minus(recoveryPeriod),
        noncurrentVersionExpiration: recoveryPeriod,
      },
    ],
    removalPolicy,
    unlogged:
      'Only Lambda writes to this bucket, after hours of failed retries; an access log ' +
      'would need another bucket. If an account requires access logs, turn on CloudTrail data events.',
  });
}

/**
 * Uses the bucket as a failure destination. S3OnFailureDestination would also grant the function read and delete access
 * to all objects.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
export function deliverTo(bucket: Bucket): IEventSourceDlq {
  return {
    bind(_mapping, target) {
      const objects = bucket.arnForObjects(`${failurePrefix}*`);
      allow(target, ['s3:PutObject'], [objects]);
      allow(target, ['s3:ListBucket'], [bucket.bucketArn]);
      bucket.encryptionKey?.grantEncryptDecrypt(target);
      return { destination: bucket.bucketArn };
    },
  };
}

/** Acknowledges the permissions of `deliverTo` for cdk-nag. */
export function acknowledgeFailureKeys(role: Role, bucket: Bucket): void {
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(bucket)}.Arn>/${failurePrefix}*]`,
    reason:
      'Permission to write objects requires a key pattern. This pattern covers only the keys that Lambda ' +
      'chooses for discarded records.',
  });
}
