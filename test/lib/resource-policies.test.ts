import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import {
  AccountPrincipal,
  ArnPrincipal,
  PolicyStatement,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../lib/index.ts';
import { admissionsOf } from './admissions.ts';
import { entry, newFolder, newTracker, type Tracked } from './tracker.ts';

const pages = newFolder('pages');
writeFileSync(join(pages, 'index.html'), '<html><head></head></html>');

const ownAccount = /^AWS arn:AWS::Partition:iam::AWS::AccountId:root$/;
const service = /^Service \w+\.amazonaws\.com$/;

/** Creates a tracker with all resources that can have a policy. */
function withEveryResource(): Tracked {
  const tracked = newTracker((stack) => ({
    apiCorsOrigins: ['https://example.org'],
    apiTokens: { issuer: 'https://example.org', audience: ['client'] },
    archive: true,
    customerPages: true,
    encryptionKey: new Key(stack, 'Key'),
    notifications: Notifications.toNewBus(),
    operatorPages: { clientId: 'client', files: pages },
    personalData: true,
  }));
  tracked.tracker.addModel('orders', { entry });
  tracked.tracker.addEventBridgeSource('Source', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.id' },
  });
  return tracked;
}

/** Returns the principals that resource policies and permissions admit but should not admit. */
const strangers = ({ stack }: Tracked) =>
  admissionsOf(Template.fromStack(stack)).filter(
    ({ principal, type, sources }) =>
      !ownAccount.test(principal) &&
      // A service can use a role only for callers that are allowed to pass the role to it.
      !(service.test(principal) && (type === 'AWS::IAM::Role' || sources.length > 0)),
  );

describe('the resource policies of a tracker', () => {
  it('admit only its own account and services acting on behalf of its resources', () => {
    const tracked = withEveryResource();
    expect(admissionsOf(Template.fromStack(tracked.stack)).length).toBeGreaterThan(15);
    expect(strangers(tracked)).toEqual([]);
  });

  it('admit a producer in another account after grantWrite, and the policy of the key does too', () => {
    const tracked = newTracker((stack) => ({ encryptionKey: new Key(stack, 'Key') }));
    const role = 'arn:aws:iam::222222222222:role/shop';
    tracked.tracker.stream.grantWrite(new ArnPrincipal(role));
    expect(strangers(tracked).map(({ type, principal }) => `${type}: ${principal}`)).toEqual([
      `AWS::KMS::Key: AWS ${role}`,
      `AWS::Kinesis::ResourcePolicy: AWS ${role}`,
    ]);
  });

  it('are reported if they admit another account, or a service on behalf of any account', () => {
    const tracked = withEveryResource();
    const { stream, dispatcher, failureBucket } = tracked.tracker;
    stream.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kinesis:PutRecord'],
        principals: [new AccountPrincipal('222222222222')],
        resources: [stream.streamArn],
      }),
    );
    dispatcher.addPermission('Anybody', {
      principal: new ServicePrincipal('events.amazonaws.com'),
    });
    failureBucket.grantRead(new AccountPrincipal('222222222222'));
    expect(
      strangers(tracked)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual([
      // The CDK lets the reader of an encrypted bucket decrypt with the key.
      'AWS::KMS::Key',
      'AWS::Kinesis::ResourcePolicy',
      'AWS::Lambda::Permission',
      'AWS::S3::BucketPolicy',
    ]);
  });
});
