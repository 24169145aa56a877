import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { beforeAll, describe, it } from 'vitest';
import { templateOf } from '../tracker.ts';

const table = 'AWS::DynamoDB::Table';
const stream = 'AWS::Kinesis::Stream';
const bucket = 'AWS::S3::Bucket';
const logs = 'AWS::Logs::LogGroup';

const string = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const keys = (HASH: string, RANGE: string) => [
  { AttributeName: HASH, KeyType: 'HASH' },
  { AttributeName: RANGE, KeyType: 'RANGE' },
];

describe('the storage of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({});
  });

  it('has the instances table, with indexes for lists, due timers, late instances, and parked events', () => {
    const index = (IndexName: string, hash: string, range: string) => ({
      IndexName,
      KeySchema: keys(hash, range),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    template.hasResourceProperties(table, {
      KeySchema: keys('pk', 'sk'),
      AttributeDefinitions: [
        'pk',
        'sk',
        'statusShard',
        'changeKey',
        'transactionShard',
        'transaction',
        'dueShard',
        'dueKey',
        'lateShard',
        'lateKey',
        'parkedShard',
        'parkedKey',
      ].map(string),
      GlobalSecondaryIndexes: [
        index('by-status', 'statusShard', 'changeKey'),
        index('by-transaction', 'transactionShard', 'transaction'),
        index('by-due', 'dueShard', 'dueKey'),
        index('by-late', 'lateShard', 'lateKey'),
        index('by-parked', 'parkedShard', 'parkedKey'),
      ],
      TimeToLiveSpecification: Match.absent(),
    });
  });

  it('has the registry table, with the model id as its key', () => {
    template.hasResourceProperties(table, {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [string('id')],
    });
  });

  it('has the dead-letter table, whose items expire', () => {
    template.hasResourceProperties(table, {
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: Match.absent(),
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it('encrypts every table, protects it from deletion, and uses on-demand billing', () => {
    template.resourceCountIs(table, 4);
    template.allResources(table, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  it('has an encrypted on-demand stream that keeps events for a week', () => {
    template.hasResource(stream, {
      // The stream is deleted after a failed first deployment, because the next deployment needs its name.
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Name: 'milepost-events',
        RetentionPeriodHours: 168,
        StreamModeDetails: { StreamMode: 'ON_DEMAND' },
        StreamEncryption: { EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' },
      },
    });
  });

  it('has a private, encrypted bucket for records that Lambda discards', () => {
    template.hasResource(bucket, {
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
          ],
        },
      },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ],
      },
    });
  });

  it('retains logs for 30 days', () => {
    // The log groups of the dispatcher, publisher, counter, API, clock, wake-ups, registrar, and key rotation, and the
    // access log of the API.
    template.resourceCountIs(logs, 9);
    template.allResourcesProperties(logs, { RetentionInDays: 30 });
  });
});

describe('the storage props of a tracker', () => {
  it('encrypt tables, stream, and bucket with a customer managed key, which every role that needs it can use', () => {
    const template = templateOf((stack) => ({ encryptionKey: new Key(stack, 'Key') }), 'orders');
    const key = { 'Fn::GetAtt': [Object.keys(template.findResources('AWS::KMS::Key'))[0], 'Arn'] };
    template.allResourcesProperties(table, {
      SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: key },
    });
    template.hasResourceProperties(stream, { StreamEncryption: { KeyId: key } });
    template.hasResourceProperties(bucket, {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key } },
        ],
      },
    });
    template.allResourcesProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['kms:Decrypt']), Resource: key }),
        ]),
      },
    });
  });

  it('cause all storage to be deleted with the stack if the removal policy is DESTROY', () => {
    const template = templateOf({ removalPolicy: RemovalPolicy.DESTROY });
    for (const type of [table, stream, bucket, logs])
      template.allResources(type, { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    template.allResourcesProperties(table, { DeletionProtectionEnabled: false });
  });

  it('set the name of the stream and how long events and logs are retained', () => {
    const template = templateOf({
      streamName: 'orders',
      streamRetention: Duration.days(30),
      logRetention: RetentionDays.ONE_WEEK,
    });
    template.hasResourceProperties(stream, { Name: 'orders', RetentionPeriodHours: 720 });
    template.allResourcesProperties(logs, { RetentionInDays: 7 });
  });
});

describe('the links to customer pages', () => {
  it('are in a table without backups and expire', () => {
    const template = templateOf({ customerPages: true });
    template.resourceCountIs(table, 5);
    template.hasResource(table, {
      DeletionPolicy: 'Retain',
      Properties: {
        KeySchema: keys('pk', 'sk'),
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: Match.absent(),
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
  });

  it('are encrypted with the customer managed key if one is configured', () => {
    const template = templateOf((stack) => ({
      customerPages: true,
      encryptionKey: new Key(stack, 'Key'),
    }));
    template.allResourcesProperties(table, { SSESpecification: { SSEType: 'KMS' } });
  });
});

describe('the data keys of personal data', () => {
  it('are in a table without backups, encrypted with a key that is rotated', () => {
    const template = templateOf({ personalData: true }, 'orders');
    template.hasResource(table, {
      DeletionPolicy: 'Retain',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: Match.absent(),
      },
    });
    template.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
    for (const role of ['orders', 'Dispatcher'])
      template.hasResourceProperties('AWS::IAM::Policy', {
        PolicyName: Match.stringLikeRegexp(`${role}RoleDefaultPolicy`),
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
          ]),
        },
      });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyName: Match.stringLikeRegexp('ApiRoleDefaultPolicy'),
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Action: 'kms:Decrypt' })]) },
    });
  });

  it('do not exist unless personalData is turned on', () => {
    const template = templateOf({}, 'orders');
    template.resourceCountIs('AWS::KMS::Key', 0);
    template.resourceCountIs(table, 4);
  });

  it.each([
    ['none', undefined],
    ['a customer managed key', (stack: Stack) => new Key(stack, 'Mine')],
  ])(
    'are encrypted with the same separate key if encryptionKey is %s, so that encryptionKey can change',
    (_, encryptionKey) => {
      const template = templateOf(
        (stack) => ({ personalData: true, encryptionKey: encryptionKey?.(stack) }),
        'orders',
      );
      const [key] = Object.keys(template.findResources('AWS::KMS::Key')).filter((id) =>
        id.startsWith('TrackerPersonalDataKey'),
      );
      for (const description of ['the model orders', 'the HTTP API', 'dispatches events'])
        template.hasResourceProperties('AWS::Lambda::Function', {
          Description: Match.stringLikeRegexp(description),
          Environment: { Variables: { MILEPOST_DATA_KEY: { 'Fn::GetAtt': [key, 'Arn'] } } },
        });
    },
  );
});
