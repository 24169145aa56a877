import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../lib/index.ts';
import { type Grant, grantsOf, rendered } from './statements.ts';
import { entry, newFolder, newTracker, type Props, templateOf } from './tracker.ts';

/*
 * The permissions of every role are recorded in snapshot files next to this one so that reviewers see
 * every change. `npx vitest run test/lib/statements.test.ts -u` writes them.
 */

const pages = newFolder('pages');
writeFileSync(join(pages, 'index.html'), '<html><head></head></html>');

const everyOption: Props = (stack) => ({
  encryptionKey: new Key(stack, 'Key'),
  customerPages: true,
  tracing: true,
  eventDataInLogs: true,
  apiCorsOrigins: ['https://example.org'],
  apiTokens: { issuer: 'https://example.org', audience: ['client'] },
  operatorPages: { clientId: 'client', files: pages },
  personalData: true,
  archive: true,
  canary: true,
  lowLatency: true,
  notifications: Notifications.toBus(
    EventBus.fromEventBusArn(stack, 'Bus', 'arn:aws:events:eu-west-1:222222222222:event-bus/all'),
  ),
});

function withEveryOption(): Grant[] {
  const { stack, tracker } = newTracker(everyOption);
  tracker.addModel('orders', { entry });
  tracker.addModelFunction('loans', {
    function: new Function(stack, 'Loans', {
      runtime: Runtime.PYTHON_3_13,
      code: Code.fromInline('def handler(event, context): ...'),
      handler: 'index.handler',
    }),
  });
  tracker.addEventBridgeSource('Source', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.id' },
  });
  return grantsOf(Template.fromStack(stack));
}

/** The grants with a wildcard, which can match more than intended. */
const patterns = (grants: readonly Grant[]) =>
  grants
    .filter(({ actions, resource }) => [...actions, resource].some((text) => /[*?]/.test(text)))
    .map(({ role, actions, resource }) => `${role}: ${actions.join(' ')} on ${resource}`);

/** The actions that encrypt or decrypt data in tables, streams, buckets, and secrets. */
const writes =
  /^(?:dynamodb:(?:Put|Update|Delete|PartiQL)|kinesis:Put|s3:PutObject|secretsmanager:Put)/;
const reads = /^(?:dynamodb:(?:BatchGet|Get|Query|Scan)|kinesis:GetRecords|secretsmanager:Get)/;

const checks = [
  'Api: cloudwatch:DescribeAlarms on arn:AWS::Partition:cloudwatch:AWS::Region:AWS::AccountId:alarm:*',
  'Api: cloudwatch:GetMetricData on *',
];
const versions = (role: string) => `${role}: lambda:InvokeFunction on ModelsordersFunction:*`;
const retired = 'Registrar: lambda:DeleteFunction on ModelsordersFunction:*';
const failures = (role: string) => `${role}: s3:PutObject on DispatcherFailures/aws/lambda/*`;

describe('the statements of every role', () => {
  it('match the recorded snapshot with default options', async () => {
    const grants = grantsOf(templateOf({}, 'orders', 'parcels'));
    await expect(rendered(grants)).toMatchFileSnapshot('statements.txt');
  });

  it('match the recorded snapshot with every option', async () => {
    const grants = withEveryOption();
    await expect(rendered(grants)).toMatchFileSnapshot('statements-every-option.txt');
  });

  it('have wildcards only for the objects that Lambda names, the versions of a model, and metrics and alarms', () => {
    expect(patterns(grantsOf(templateOf({}, 'orders'))).toSorted()).toEqual([
      ...checks,
      versions('Api'),
      versions('Dispatcher'),
      failures('Dispatcher'),
      failures('Publisher'),
      retired,
    ]);
  });

  it('have further wildcards for X-Ray, keys, the archive, and the pages with every option', () => {
    const found = patterns(withEveryOption());
    const ofXRay = 'xray:PutTraceSegments xray:PutTelemetryRecords on *';
    const ofKeys = /^\w+: kms:[\w: ]*kms:ReEncrypt\* kms:GenerateDataKey\*[\w: ]* on Key[0-9A-F]*$/;
    expect(found.filter((each) => !ofKeys.test(each)).toSorted()).toEqual([
      ...checks,
      versions('Api'),
      `Api: ${ofXRay}`,
      'Archive: s3:AbortMultipartUpload s3:GetObject s3:PutObject on ArchiveBucket/errors/*',
      'Archive: s3:AbortMultipartUpload s3:GetObject s3:PutObject on ArchiveBucket/events/*',
      versions('Dispatcher'),
      failures('Dispatcher'),
      `Dispatcher: ${ofXRay}`,
      `Modelsloans: ${ofXRay}`,
      `Modelsmilepostcanary: ${ofXRay}`,
      `Modelsorders: ${ofXRay}`,
      'PagesFiles: s3:PutObject on PagesFilesBucket/assets/*',
      failures('Publisher'),
      retired,
    ]);
  });

  it('allow encryption exactly to the roles that write encrypted data, and decryption to those that read it', () => {
    const roles = [...Map.groupBy(withEveryOption(), ({ role }) => role)];
    const rolesWith = (resource: RegExp, action: RegExp) =>
      roles.flatMap(([role, grants]) =>
        grants.some(
          (grant) =>
            resource.test(grant.resource) && grant.actions.some((each) => action.test(each)),
        )
          ? role
          : [],
      );
    const [key, other] = [/^Key$/, /^(?!Key$)/];
    expect(rolesWith(key, /^kms:GenerateDataKey/)).toEqual(rolesWith(other, writes));
    expect(rolesWith(key, /^kms:Decrypt$/)).toEqual(
      expect.arrayContaining(rolesWith(other, reads)),
    );
    expect(rolesWith(other, reads)).toContain('ArchiveArchiver');
  });

  it('include the permissions that code of the app grants', () => {
    const { stack, tracker } = newTracker();
    const { function: fn } = tracker.addModel('orders', { entry });
    tracker.registryTable.grantFullAccess(fn);
    expect(patterns(grantsOf(Template.fromStack(stack)))).toContain(
      'Modelsorders: dynamodb:* on TablesRegistry',
    );
  });
});
