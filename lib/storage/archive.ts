import { Aws, Duration, Lazy, Validations } from 'aws-cdk-lib';
import { type Alarm, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  type EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { archiveColumns } from '../../src/aws/archive/archive-columns.ts';
import { commitPrefix } from '../../src/aws/instances/instance-keys.ts';
import { allow } from '../allow.ts';
import { logicalId } from '../logical-id.ts';
import { addAlarm, anyOccurrence, sustained } from '../monitoring/add-alarm.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { privateBucket } from './private-bucket.ts';
import { grantStreamRead, grantTableRead, streamArnOf, type Tables } from './tables.ts';

export interface ArchiveProps extends ServiceProps {
  readonly tables: Tables;
  readonly metrics: TrackerMetrics;
  readonly encryptionKey?: IKey;
  readonly alarmTopic?: ITopic;
  /** Returns the ids of the models. Called during synthesis, when all models have been added. */
  readonly models: () => readonly string[];
}

/** The prefixes of events and of failed deliveries in the bucket. */
const [events, errors] = ['events/', 'errors/'];

/**
 * An archive in S3 of every event of every instance, by model and day, with an Athena table. The instances table's
 * stream emits each commit; a function splits each commit into events and sends the events to Firehose.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker', { archive: true });
 * const archive: Archive | undefined = tracker.archive;
 */
export class Archive extends Construct {
  /** The bucket with the events under `events/` and failed deliveries under `errors/`. */
  readonly bucket: Bucket;
  /** The Glue database that contains the table. */
  readonly database: CfnDatabase;
  /** The table `events`, with a column for each field of an event. */
  readonly table: CfnTable;
  /** The function that splits commits into events. */
  readonly archiver: ServiceFunction;
  /** The alarms that go off if events are late or missing in the archive. */
  readonly alarms: readonly Alarm[];
  /** The event source mapping that passes new commits to the function. */
  readonly source: EventSourceMapping;

  /** @internal Created by `archive: true`. */
  constructor(scope: Construct, id: string, props: ArchiveProps) {
    super(scope, id);
    this.bucket = bucketOf(this, props);
    const stream = this.#deliveryStream(props);
    this.archiver = new ServiceFunction(this, 'Archiver', {
      ...props,
      bundle: 'archiver',
      description: 'Milepost: writes commits to the archive',
      memorySize: 512,
      timeout: Duration.minutes(2),
      environment: {
        MILEPOST_INSTANCES_TABLE: props.tables.instances.tableName,
        MILEPOST_ARCHIVE: stream.ref,
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    this.source = this.#feed(props, stream);
    [this.database, this.table] = this.#glue(props);
    this.alarms = this.#alarmsOf(props, stream);
  }

  #deliveryStream({ encryptionKey, ...logs }: ArchiveProps): CfnDeliveryStream {
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logs.logRetention,
      removalPolicy: logs.removalPolicy,
    });
    const logStream = new LogStream(this, 'LogStream', {
      logGroup,
      removalPolicy: logs.removalPolicy,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
    });
    // https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html#using-iam-s3
    const { bucketArn } = this.bucket;
    allow(
      role,
      ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
      [bucketArn],
    );
    const objects = [events, errors].map((prefix) => this.bucket.arnForObjects(`${prefix}*`));
    allow(role, ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], objects);
    logGroup.grantWrite(role);
    encryptionKey?.grantEncryptDecrypt(role);
    const name = logicalId(this.bucket);
    Validations.of(role).acknowledge(
      ...[events, errors].map((prefix) => ({
        id: `AwsSolutions-IAM5[Resource::<${name}.Arn>/${prefix}*]`,
        reason:
          'Permission to write objects requires a key pattern because Firehose chooses the names.',
      })),
    );
    const stream = new CfnDeliveryStream(this, 'Stream', {
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: encryptionKey
        ? { keyType: 'CUSTOMER_MANAGED_CMK', keyArn: encryptionKey.keyArn }
        : { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn,
        roleArn: role.roleArn,
        prefix: `${events}model=!{partitionKeyFromQuery:model}/day=!{partitionKeyFromQuery:day}/`,
        errorOutputPrefix: `${errors}!{firehose:error-output-type}/!{timestamp:yyyy-MM-dd}/`,
        compressionFormat: 'GZIP',
        // With the maximum interval and size, Firehose writes fewer and larger objects.
        bufferingHints: { intervalInSeconds: 900, sizeInMBs: 128 },
        dynamicPartitioningConfiguration: { enabled: true },
        processingConfiguration: {
          enabled: true,
          processors: [
            processor('RecordDeAggregation', { SubRecordType: 'JSON' }),
            processor('MetadataExtraction', {
              MetadataExtractionQuery: '{model:.model,day:.day}',
              JsonParsingEngine: 'JQ-1.6',
            }),
            // `RecordDeAggregation` removes the line breaks between records, so append one to each record.
            processor('AppendDelimiterToRecord', { Delimiter: '\\n' }),
          ],
        },
        ...(encryptionKey && {
          encryptionConfiguration: { kmsEncryptionConfig: { awskmsKeyArn: encryptionKey.keyArn } },
        }),
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: logGroup.logGroupName,
          logStreamName: logStream.logStreamName,
        },
      },
    });
    stream.node.addDependency(role);
    return stream;
  }

  /** Connects the archiver to new commits and grants its permissions. */
  #feed({ tables: { instances } }: ArchiveProps, stream: CfnDeliveryStream): EventSourceMapping {
    const { function: archiver, role } = this.archiver;
    grantTableRead(instances, archiver, 'BatchGetItem');
    allow(role, ['firehose:PutRecordBatch'], [stream.attrArn]);
    grantStreamRead(instances, archiver);
    const source = archiver.addEventSourceMapping('Commits', {
      eventSourceArn: streamArnOf(instances),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 1_000,
      // A minute's delay is acceptable for the archive, and larger batches result in fewer invocations.
      maxBatchingWindow: Duration.seconds(60),
      parallelizationFactor: 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // Lambda retries while the table's stream keeps the records, for one day. An alarm goes off long before that.
      retryAttempts: -1,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { sk: { S: FilterRule.beginsWith(commitPrefix) } } },
        }),
      ],
    });
    // Lambda rejects the mapping if the role cannot read the stream yet.
    source.node.addDependency(role);
    return source;
  }

  #glue({ models }: ArchiveProps): [CfnDatabase, CfnTable] {
    const catalogId = Aws.ACCOUNT_ID;
    const database = new CfnDatabase(this, 'Database', {
      catalogId,
      databaseInput: { description: 'Milepost: the history of instances' },
    });
    const location = `s3://${this.bucket.bucketName}/${events}`;
    const table = new CfnTable(this, 'Table', {
      catalogId,
      databaseName: database.ref,
      tableInput: {
        name: 'events',
        description: 'Every event of every instance: see docs/how-to/query-the-archive.md',
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [
          { name: 'model', type: 'string' },
          { name: 'day', type: 'string', comment: 'the day of the commit in UTC' },
        ],
        // Athena computes the partitions, so no crawler is needed.
        //
        // https://docs.aws.amazon.com/athena/latest/ug/partition-projection.html
        parameters: {
          'projection.enabled': 'true',
          'projection.model.type': 'enum',
          'projection.model.values': Lazy.string({ produce: () => models().join(',') || 'none' }),
          'projection.day.type': 'date',
          'projection.day.format': 'yyyy-MM-dd',
          'projection.day.range': '2026-01-01,NOW',
          'storage.location.template': `${location}model=\${model}/day=\${day}/`,
        },
        storageDescriptor: {
          location,
          columns: Object.entries(archiveColumns).map(([name, { type, about }]) => ({
            name,
            type,
            comment: about,
          })),
          inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
          serdeInfo: { serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe' },
        },
      },
    });
    return [database, table];
  }

  #alarmsOf({ alarmTopic, metrics }: ArchiveProps, stream: CfnDeliveryStream): Alarm[] {
    const { function: archiver } = this.archiver;
    const behind = {
      name: 'Behind',
      description: 'commits are waiting to be archived; after a day, the archive loses them',
      metric: archiver.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      period: Duration.minutes(5),
      limit: Duration.hours(1).toMilliseconds(),
    };
    const throttles = {
      name: 'ArchiveThrottles',
      description: 'the archiver is throttled; after a day, the archive loses commits',
      metric: archiver.metricThrottles(),
      ...sustained,
    };
    // https://docs.aws.amazon.com/firehose/latest/dev/firehose-cloudwatch-metrics-best-practices.html
    const notDelivered = {
      name: 'NotDelivered',
      description: 'Firehose cannot write events to the archive; after a day, it discards them',
      metric: new Metric({
        namespace: 'AWS/Firehose',
        metricName: 'DeliveryToS3.DataFreshness',
        dimensionsMap: { DeliveryStreamName: stream.ref },
        statistic: Stats.MAXIMUM,
      }),
      period: Duration.minutes(5),
      limit: Duration.hours(1).toSeconds(),
    };
    const unarchived = {
      name: 'UnarchivedCommits',
      description: 'the archiver cannot read a commit, so the archive does not contain its events',
      metric: metrics.total('UnarchivedCommits'),
      ...anyOccurrence,
    };
    return [
      addAlarm(this, 'Behind', behind, alarmTopic),
      addAlarm(this, 'Throttles', throttles, alarmTopic),
      addAlarm(this, 'NotDelivered', notDelivered, alarmTopic),
      addAlarm(this, 'UnarchivedCommits', unarchived, alarmTopic),
    ];
  }
}

function bucketOf(scope: Construct, { encryptionKey, removalPolicy }: ArchiveProps): Bucket {
  return privateBucket(scope, 'Bucket', {
    encryptionKey,
    versioned: true,
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(7),
        noncurrentVersionExpiration: Duration.days(30),
      },
    ],
    removalPolicy,
    unlogged:
      'Only Firehose writes to this bucket; an access log would need another bucket. If an ' +
      'account requires access logs, turn on CloudTrail data events.',
  });
}

function processor(type: string, parameters: Readonly<Record<string, string>>) {
  return {
    type,
    parameters: Object.entries(parameters).map(([parameterName, parameterValue]) => ({
      parameterName,
      parameterValue,
    })),
  };
}
