import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IEventSourceDlq, MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { dispatcherTimeout } from './dispatcher-time.ts';
import { logicalId } from './logical-id.ts';
import { privateBucket } from './private-bucket.ts';
import { type FunctionProps, ServiceFunction } from './service-function.ts';
import { grantTable, type Tables } from './tables.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

export interface DispatcherProps extends FunctionProps {
  readonly bundles: string;
  readonly stream: Stream;
  readonly streamRetention: Duration;
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

const longestRecordAge = Duration.days(7);

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
 * - Attempts are many, since giving a record up for an outage of AWS takes it out of order, but
 *   finite, since an endless retry blocks a tenth of the shard until the stream itself deletes the
 *   record, silently. Throttling counts as no attempt; the record's age bounds that.
 * - The age is half a day less than the stream's retention: Lambda gives a record up, and keeps it,
 *   before Kinesis deletes it. It is no shorter, because a record that is past its age after a long
 *   outage would be given up untried.
 * - What is given up goes to the bucket, with its bytes and its sequence numbers (other
 *   destinations are told the sequence numbers alone), and raises an alarm.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-batchfailurereporting.html
 */
export class Dispatcher extends ServiceFunction {
  readonly failures: Bucket;
  readonly #eventSourceId: string;

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
    Validations.of(this.role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${logicalId(this.failures)}.Arn>/${failurePrefix}*]`,
      reason:
        'Permission to write objects takes a pattern of keys. This one covers the keys that Lambda gives ' +
        'to records it gave up, and nothing else in the bucket.',
    });
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
    this.#eventSourceId = source.eventSourceMappingId;
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics */
  metricOfSource(metricName: string): Metric {
    return new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: { EventSourceMappingUUID: this.#eventSourceId },
      statistic: Stats.SUM,
    });
  }
}

function recordAge(streamRetention: Duration): Duration {
  const age = streamRetention.minus(Duration.hours(12));
  return age.toSeconds() > longestRecordAge.toSeconds() ? longestRecordAge : age;
}

function failureBucket(
  scope: Construct,
  { encryptionKey, removalPolicy }: DispatcherProps,
): Bucket {
  return privateBucket(scope, 'Failures', {
    encryptionKey,
    versioned: true,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(7) },
      { expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(30) },
    ],
    removalPolicy,
    unlogged:
      'Lambda alone writes here, and only when the dispatcher failed for hours; the log of who read it ' +
      'would need a bucket of its own. An account that must have it turns on CloudTrail data events.',
  });
}

/**
 * The bucket as a failure destination. S3OnFailureDestination would also let the function read and
 * delete everything in it.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 */
function deliverTo(bucket: Bucket): IEventSourceDlq {
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
