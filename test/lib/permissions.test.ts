import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { newInstallation, partitionCountsItem } from '../../src/aws/instances/partition-counts.ts';
import { entry, newFolder, newTracker, templateOf } from './tracker.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

describe('the permissions of a tracker', () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({}, 'orders');
  });

  const policies = () => Object.entries(template.findResources('AWS::IAM::Policy'));

  it('have wildcards only for the failure objects that Lambda writes, the versions of models, and metrics and alarms', () => {
    const patterns = policies().flatMap(([, { Properties }]) => {
      const statements: Statement[] = Properties.PolicyDocument.Statement;
      return statements
        .map(({ Action, Resource }) => JSON.stringify([Action, Resource]))
        .filter((statement) => statement.includes('*'));
    });
    const ofFailures = expect.stringMatching(/^\["s3:PutObject",.*"\/aws\/lambda\/\*"/);
    const versions = expect.stringMatching(/^\["lambda:InvokeFunction",.*ordersFunction.*":\*"\]/);
    expect(patterns).toEqual([
      ofFailures,
      versions,
      ofFailures,
      '["cloudwatch:GetMetricData","*"]',
      expect.stringMatching(/^\["cloudwatch:DescribeAlarms",.*":alarm:\*"/),
      versions,
      expect.stringMatching(/^\["lambda:DeleteFunction",.*ordersFunction.*":\*"\]/),
    ]);
  });

  it('use no managed policy', () => {
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role')))
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
  });

  it.each([
    ['Dispatcher', 'Registry', ['GetItem']],
    [
      'Dispatcher',
      'DeadLetters',
      ['GetItem', 'PutItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLDelete'],
    ],
    [
      'Dispatcher',
      'Instances',
      [
        'BatchGetItem',
        'Query',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'PartiQLInsert',
        'PartiQLDelete',
      ],
    ],
    ['Api', 'Instances', ['BatchGetItem', 'Query', 'Scan', 'DeleteItem', 'UpdateItem', 'PutItem']],
    ['Api', 'Registry', ['GetItem', 'Scan', 'PutItem']],
    ['Api', 'DeadLetters', ['GetItem', 'Query', 'Scan', 'UpdateItem', 'DeleteItem']],
    ['Counter', 'Counters', ['GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert']],
    ['Counter', 'Instances', []],
    ['Counter', 'Registry', []],
    ['orders', 'Counters', []],
    ['Clock', 'Instances', ['BatchGetItem', 'Query', 'PartiQLUpdate', 'PutItem']],
    ['Clock', 'Registry', []],
    ['Clock', 'DeadLetters', []],
    ['Registrar', 'Registry', ['GetItem', 'PutItem', 'Scan']],
    ['Registrar', 'Instances', ['Scan', 'PutItem']],
    [
      'orders',
      'Instances',
      [
        'Query',
        'GetItem',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'PartiQLInsert',
        'PartiQLUpdate',
      ],
    ],
    ['orders', 'Registry', []],
    ['orders', 'DeadLetters', []],
  ])('let the role %s use the table %s only for the actions %j', (role, table, actions) => {
    const [, policy] = policies().find(([id]) => id.includes(`${role}RoleDefaultPolicy`)) ?? [];
    const statements: Statement[] = policy?.['Properties'].PolicyDocument.Statement;
    const granted = statements
      .filter(({ Resource }) => isArnOf(table, Resource))
      .flatMap(({ Action }) => Action);
    expect(granted).toEqual(actions.map((action) => `dynamodb:${action}`));
  });

  it('let the API change the registry entries of models but not their lists of versions', () => {
    const [, policy] = policies().find(([id]) => id.includes('ApiRoleDefaultPolicy')) ?? [];
    const statements: Statement[] = policy?.['Properties'].PolicyDocument.Statement;
    expect(statements.filter(({ Action }) => Action === 'dynamodb:PutItem')).toEqual([
      expect.objectContaining({
        Condition: { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': ['*#*'] } },
      }),
    ]);
  });

  it.each(['Clock', 'Registrar'])(
    'let the role %s put only one item in the instances table: the numbers of index partitions',
    (role) => {
      const [, policy] = policies().find(([id]) => id.includes(`${role}RoleDefaultPolicy`)) ?? [];
      const statements: Statement[] = policy?.['Properties'].PolicyDocument.Statement;
      const puts = statements.filter(
        ({ Action, Resource }) =>
          isArnOf('Instances', Resource) && [Action].flat().includes('dynamodb:PutItem'),
      );
      const { pk } = partitionCountsItem(newInstallation);
      expect(puts).toEqual([
        expect.objectContaining({
          Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [pk?.S] } },
        }),
      ]);
    },
  );

  it('let the clock query one index, put events on the stream, send messages, and read event source mappings', () => {
    const [, policy] = policies().find(([id]) => id.includes('ClockRoleDefaultPolicy')) ?? [];
    const statements: Statement[] = policy?.['Properties'].PolicyDocument.Statement;
    const other = statements.filter(({ Resource }) => !isArnOf('Instances', Resource));
    const granted = other.map(({ Action, Resource }) => [Action, JSON.stringify(Resource)]);
    expect(granted).toEqual([
      [['logs:CreateLogStream', 'logs:PutLogEvents'], expect.stringContaining('ClockLogs')],
      ['dynamodb:Query', expect.stringMatching(/Instances.*\/index\/by-due"/)],
      ['kinesis:PutRecords', expect.stringContaining('Stream')],
      ['kinesis:DescribeStreamSummary', expect.stringContaining('Stream')],
      ['sqs:SendMessage', expect.stringContaining('WakeupsQueue')],
      ['secretsmanager:GetSecretValue', expect.stringContaining('SigningKeysSecret')],
      [
        'lambda:GetEventSourceMapping',
        expect.stringMatching(
          /mapping.*Dispatcher.*mapping.*Publisher.*mapping.*Counter.*mapping.*Wakeups/,
        ),
      ],
    ]);
  });
});

function isArnOf(table: string, resource: unknown): boolean {
  return new RegExp(`^\\{"Fn::GetAtt":\\["TrackerTables${table}[0-9A-F]+","Arn"\\]\\}$`).test(
    JSON.stringify(resource),
  );
}

describe('cdk-nag', () => {
  it('finds no violations in a tracker with a model', () => {
    const { app, tracker } = newTracker();
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).not.toThrow();
  });

  it('finds no violations in a tracker with a customer managed key', () => {
    const { app, tracker } = newTracker((stack) => ({
      encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
    }));
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).not.toThrow();
  });

  it('finds no violations in a tracker with personal data', () => {
    const { app, tracker } = newTracker({ personalData: true });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.addModel('orders', { entry });
    expect(() => app.synth()).not.toThrow();
  });

  it.each([
    ['any account and region', undefined],
    ['a given region', { region: 'eu-west-1' }],
    ['a given account and region', { account: '111122223333', region: 'eu-west-1' }],
  ])('finds no violations in a tracker with all optional parts, in %s', (_, env) => {
    const files = newFolder('pages-for-nag');
    writeFileSync(join(files, 'index.html'), '<html><head></head></html>');
    const capacity = { maxCapacity: 100 };
    const { app, tracker } = newTracker(
      (stack) => ({
        encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
        apiTokens: { issuer: 'https://example.org', audience: ['client'] },
        apiCorsOrigins: ['https://example.org'],
        archive: true,
        canary: true,
        customerPages: true,
        eventDataInLogs: true,
        instancesCapacity: { readCapacity: capacity, writeCapacity: capacity },
        lowLatency: true,
        operatorPages: { clientId: 'client', files },
        personalData: true,
        tracing: true,
      }),
      env,
    );
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.addModel('orders', { entry, reservedConcurrency: 5 });
    expect(() => app.synth()).not.toThrow();
  });

  it('finds an added policy with a wildcard', () => {
    const { app, tracker } = newTracker();
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    tracker.dispatcher.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:*'], resources: ['*'] }),
    );
    expect(() => app.synth()).toThrow(/IAM5\[Action::s3:\*\]/);
  });
});
