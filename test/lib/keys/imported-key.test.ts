import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Alias, type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { KMS_APPLY_IMPORTED_ALIAS_PERMISSIONS_TO_PRINCIPAL } from 'aws-cdk-lib/cx-api';
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

const importedAlias = (stack: Stack) => Alias.fromAliasName(stack, 'Key', 'alias/company');

it.each([
  ['by its name', importedAlias],
  [
    'by its ARN',
    (stack: Stack) => Key.fromKeyArn(stack, 'Key', keyArn.replace(/key.*/, 'alias/company')),
  ],
])(
  'a tracker rejects an alias that is imported %s, because IAM policies cannot contain it',
  (_, keyOf) => {
    expect(() => newTracker((it) => ({ encryptionKey: keyOf(it) }))).toThrow(
      "`encryptionKey` must not be an imported alias, because the tracker's functions would have no permission to use " +
        'the key; got "alias/company"; import the key with Key.fromKeyArn() and the ARN of the key, or with Key.fromLookup()',
    );
  },
);

it('a tracker accepts an imported alias if the CDK grants the permission by the name of the alias', () => {
  const { stack } = newTracker((it) => {
    it.node.setContext(KMS_APPLY_IMPORTED_ALIAS_PERMISSIONS_TO_PRINCIPAL, true);
    return { encryptionKey: importedAlias(it) };
  });
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  expect(JSON.stringify(policies)).toContain('{"kms:ResourceAliases":"alias/company"}');
});

it('a tracker accepts an alias that the app creates', () => {
  const alias = (stack: Stack) =>
    new Alias(stack, 'Alias', { aliasName: 'alias/company', targetKey: ofApp(stack) });
  expect(() => newTracker((it) => ({ encryptionKey: alias(it) }))).not.toThrow();
});
