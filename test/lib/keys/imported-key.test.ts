import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { expect, it } from 'vitest';
import { Notifications } from '../../../lib/index.ts';
import { entry, newTracker } from '../tracker.ts';

const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const imported = (stack: Stack) => Key.fromKeyArn(stack, 'Key', keyArn);
const ofApp = (stack: Stack) => new Key(stack, 'Key');

/** Returns the warnings about the key of a tracker that has an EventBridge source. */
function warningsOf(keyOf: (stack: Stack) => IKey, notifications?: Notifications): string[] {
  const { stack, tracker } = newTracker((it) => ({ encryptionKey: keyOf(it), notifications }));
  tracker.addModel('orders', { entry });
  tracker.addEventBridgeSource('Shop', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.order' },
  });
  const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('imported'));
  return found.map(({ entry: { data } }) => JSON.stringify(data));
}

it("a tracker with an imported key warns about the permissions that the key's policy must grant", () => {
  expect(warningsOf(imported)).toEqual([
    expect.stringContaining(
      'the policy of the imported `encryptionKey` must allow events.amazonaws.com to perform these actions to encrypt ' +
        'notifications on the bus: kms:Decrypt, kms:DescribeKey, kms:GenerateDataKey',
    ),
  ]);
});

it('a tracker with an imported key warns only about the permissions that its options require', () => {
  expect(warningsOf(imported, Notifications.toStream())).toEqual([]);
});

it('a tracker with a key that the app creates does not warn about permissions', () => {
  expect(warningsOf(ofApp)).toEqual([]);
});
