import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IEventSourceDlq, MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { logicalId } from '../logical-id.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { type FunctionProps, ServiceFunction } from '../service-function.ts';
import { privateBucket } from '../storage/private-bucket.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { dispatcherTimeout } from './dispatcher-time.ts';

export interface DispatcherProps extends FunctionProps {
  readonly bundles: string;
  readonly stream: Stream;
  readonly streamRetention: Duration;
  readonly failureRetention: Duration;
  readonly tables: Tables;
  readonly batchSize: number;
  readonly retryAttempts: number;
  readonly memorySize: number;
  readonly modelAttempts: number;
  readonly modelBackoff: Duration;
  readonly metrics: TrackerMetrics;
  /** Whether there are metrics of each model. */
  readonly modelMetrics: boolean;
  readonly eventDataInLogs: boolean;
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
}

/** The longest age that Lambda allows. */
export const maximumRecordAge = Duration.days(7);

/**
 * Lambda's keys start with this, then the id of the event source mapping, which cannot be part of a
 * permission: the mapping comes to be after the role.
 */
const failurePrefix = 'aws/lambda/';

/**
 * The dispatcher, what feeds it from the stream, and where records go that it could not take.
 *
 * Nothing on the stream may be lost, and nothing may block it for ever. The dispatcher ends every
 * record itself (applied, rejected, duplicate, parked or dead letter) and hands records back only
 * while AWS is failing; the settings here are for that, and for the dispatcher itself failing:
 *
 * - Reading starts at the oldest record (TRIM_HORIZON): what was put before the first deployment
 *   ended is tracked too.
 * - What is handed back is named record by record (ReportBatchItemFailures), and a batch on which
 *   the function fails as a whole is halved (which uses up no attempt), so that one record that
 *   ends the process is soon alone.
 * - The number of attempts has no limit (-1): time alone decides when a record is given up. A number
 *   says nothing about time, because an attempt that fails at once, for example on a table that is
 *   gone, takes milliseconds: 1,000 of them may last minutes, and a record that is given up during an
 *   outage of AWS loses its place in the order. (Throttled invocations never count as attempts.)
 * - The age is half a day less than the stream's retention, at most the 7 days that Lambda allows: it
 *   gives a record up, and keeps it in the bucket, before Kinesis deletes it silently. By default that
 *   is 6.5 days, so an outage of a day loses nothing. It is no shorter, because a record that is past
 *   its age after a long outage would be given up untried.
 * - While a record is retried, it blocks its lane: a tenth of its shard, or more if others fail too.
 *   That is right for an outage, in which all records of the lane would fail, and for order. Only a
 *   fault of AWS or of the dispatcher itself is retried here; an event that its model fails on is
 *   parked with its instance, and a record that is no event becomes a dead letter. The alarms
 *   IteratorAge, DispatcherErrors and DispatcherThrottles go off within minutes.
 * - What is given up goes to the bucket, with its bytes and its sequence numbers (other
 *   destinations are told the sequence numbers alone), and raises an alarm.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-batchfailurereporting.html
 */
export class Dispatcher extends ServiceFunction {
  readonly failures: Bucket;
  /** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics */
  readonly metricOfSource: (metricName: string) => Metric;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    const { instances, registry, deadLetters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'dispatcher',
      description: 'Milepost: hands the events on the stream to their models',
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
      },
    });
    grantTable(registry, this.function, 'GetItem');
    const batches = ['PartiQLInsert', 'PartiQLDelete'];
    grantTable(deadLetters, this.function, 'GetItem', 'PutItem', 'DeleteItem', ...batches);
    // It parks the events that a model fails on, with their instance.
    const single = ['PutItem', 'UpdateItem', 'DeleteItem'];
    grantTable(instances, this.function, 'BatchGetItem', 'Query', ...single, ...batches);
    // A long redrive goes on as a new record.
    props.stream.grant(this.function, 'kinesis:PutRecords');
    props.stream.encryptionKey?.grantEncrypt(this.function);

    this.failures = failureBucket(this, props);
    acknowledgeFailureKeys(this.role, this.failures);
    const source = new KinesisEventSource(props.stream, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: props.batchSize,
      maxBatchingWindow: Duration.seconds(0),
      parallelizationFactor: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: props.retryAttempts,
      maxRecordAge: recordAge(props.streamRetention),
      onFailure: deliverTo(this.failures),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    this.function.addEventSource(source);
    this.metricOfSource = sourceMetric(source);
  }
}

/** The metrics of an event source that has been added to its function. */
export const sourceMetric =
  ({ eventSourceMappingId }: KinesisEventSource) =>
  (metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: { EventSourceMappingUUID: eventSourceMappingId },
      statistic: Stats.SUM,
    });

function recordAge(streamRetention: Duration): Duration {
  const age = streamRetention.minus(Duration.hours(12));
  return age.toSeconds() > maximumRecordAge.toSeconds() ? maximumRecordAge : age;
}

/** How long a record can be brought back that expired or was deleted. */
const recoveryPeriod = Duration.days(1);

/**
 * In a versioned bucket an object that expires stays as a noncurrent version until that expires too, so
 * the two periods together are the time for which a record is kept.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
function failureBucket(
  scope: Construct,
  { encryptionKey, removalPolicy, failureRetention }: DispatcherProps,
): Bucket {
  const days = failureRetention.toDays({ integral: false });
  if (!Number.isInteger(days) || days < 2)
    throw new MilepostError(
      'bad-request',
      `failureRetention must be a whole number of days, at least 2; got ${days}`,
    );
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
      'Lambda alone writes here, and only when a function failed for hours; the log of who read it ' +
      'would need a bucket of its own. An account that must have it turns on CloudTrail data events.',
  });
}

/**
 * The bucket as a failure destination. S3OnFailureDestination would also let the function read and
 * delete everything in it.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
export function deliverTo(bucket: Bucket): IEventSourceDlq {
  return {
    bind(_mapping, target) {
      const objects = bucket.arnForObjects(`${failurePrefix}*`);
      target.addToRolePolicy(
        new PolicyStatement({ actions: ['s3:PutObject'], resources: [objects] }),
      );
      target.addToRolePolicy(
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      );
      bucket.encryptionKey?.grantEncryptDecrypt(target);
      return { destination: bucket.bucketArn };
    },
  };
}

/** Explains to cdk-nag what `deliverTo` permits a role. */
export function acknowledgeFailureKeys(role: Role, bucket: Bucket): void {
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(bucket)}.Arn>/${failurePrefix}*]`,
    reason:
      'Permission to write objects takes a pattern of keys. This one covers the keys that Lambda gives ' +
      'to records it gave up, and nothing else in the bucket.',
  });
}
