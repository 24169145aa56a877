import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { archiveColumns } from '../../../src/aws/archive/archive-columns.ts';
import { entry, newTracker, type Props, templateOf } from '../tracker.ts';

function archived(props: Props = { archive: true }) {
  const { app, stack, tracker } = newTracker(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  tracker.addModel('orders', { entry });
  tracker.addModel('claims', { entry });
  return { app, stack };
}

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

describe('the archive of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = Template.fromStack(archived().stack);
  });
  const properties = (type: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  const statementsOf = (role: string): Statement[] => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
    const [, policy] = policies.find(([id]) => id.includes(role))!;
    return policy['Properties'].PolicyDocument.Statement;
  };

  it('does not exist unless it is turned on', () => {
    const without = JSON.stringify(templateOf({}, 'orders').toJSON());
    expect(without).not.toMatch(/Archive|Firehose|Glue/);
  });

  it('receives new commits but no other writes to the table', () => {
    template.resourcePropertiesCountIs(
      'AWS::DynamoDB::Table',
      { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } },
      1,
    );
    const [mapping] = properties('AWS::Lambda::EventSourceMapping').filter(({ FunctionName }) =>
      FunctionName.Ref.includes('Archiver'),
    );
    expect(
      mapping.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
    ).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'COMMIT#' }] } } } },
    ]);
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/TablesInstances/), 'StreamArn'] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
    });
  });

  it('stores events by model and day, compressed', () => {
    const [{ ExtendedS3DestinationConfiguration: destination }] = properties(
      'AWS::KinesisFirehose::DeliveryStream',
    );
    expect(destination).toMatchObject({
      Prefix: 'events/model=!{partitionKeyFromQuery:model}/day=!{partitionKeyFromQuery:day}/',
      CompressionFormat: 'GZIP',
      DynamicPartitioningConfiguration: { Enabled: true },
    });
    expect(
      destination.ProcessingConfiguration.Processors.map(({ Type }: { Type: string }) => Type),
    ).toEqual(['RecordDeAggregation', 'MetadataExtraction', 'AppendDelimiterToRecord']);
  });

  it('has a Glue table with a column for each field, partitioned by model and day', () => {
    const [{ TableInput }] = properties('AWS::Glue::Table');
    expect(
      TableInput.StorageDescriptor.Columns.map(({ Name, Type }: { Name: string; Type: string }) => [
        Name,
        Type,
      ]),
    ).toEqual(Object.entries(archiveColumns).map(([name, { type }]) => [name, type]));
    expect(TableInput.PartitionKeys.map(({ Name }: { Name: string }) => Name)).toEqual([
      'model',
      'day',
    ]);
    expect(TableInput.Parameters).toMatchObject({
      'projection.enabled': 'true',
      'projection.model.values': 'orders,claims',
      'projection.day.format': 'yyyy-MM-dd',
    });
    expect(JSON.stringify(TableInput.Parameters['storage.location.template'])).toContain(
      '/events/model=${model}/day=${day}/',
    );
  });

  it('is retained when the stack is deleted', () => {
    for (const type of ['AWS::S3::Bucket', 'AWS::DynamoDB::Table'])
      for (const resource of Object.values(template.findResources(type)))
        expect(resource['DeletionPolicy']).toBe('Retain');
  });

  it('has roles with least privilege', () => {
    expect(
      statementsOf('ArchiveArchiverRole')
        .map(({ Action }) => Action)
        .slice(1),
    ).toEqual([
      'dynamodb:BatchGetItem',
      'firehose:PutRecordBatch',
      [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
    ]);
    expect(
      statementsOf('TrackerArchiveRole')
        .map(({ Action }) => Action)
        .flat(),
    ).toEqual([
      's3:GetBucketLocation',
      's3:ListBucket',
      's3:ListBucketMultipartUploads',
      's3:AbortMultipartUpload',
      's3:GetObject',
      's3:PutObject',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
  });

  it('passes cdk-nag, even with a customer managed key, which encrypts all resources of the archive', () => {
    expect(() => archived().app.synth()).not.toThrow();
    const { app, stack } = archived((scope) => ({
      archive: true,
      encryptionKey: new Key(scope, 'Key', { enableKeyRotation: true }),
    }));
    expect(() => app.synth()).not.toThrow();
    const key = { 'Fn::GetAtt': [Match.stringLikeRegexp('^Key'), 'Arn'] };
    Template.fromStack(stack).hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamEncryptionConfigurationInput: {
        KeyType: 'CUSTOMER_MANAGED_CMK',
        KeyARN: key,
      },
      ExtendedS3DestinationConfiguration: {
        EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN: key } },
      },
    });
  });
});
