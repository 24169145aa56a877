import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, it } from 'vitest';
import { newTracker } from '../tracker.ts';

const region = { account: '123456789012', region: 'eu-west-1' };
const topicArn = 'arn:aws:sns:eu-west-1:123456789012:alarms';
const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

/** Returns the warnings about keys in a stack. */
const warningsOf = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('imported'))
    .map(({ entry: { data } }) => JSON.stringify(data));

it("the alarms may use the topic's key only on behalf of the tracker's account", () => {
  const { stack } = newTracker(
    (it) => ({ alarmTopic: new Topic(it, 'Topic', { masterKey: new Key(it, 'Key') }) }),
    region,
  );
  Template.fromStack(stack).hasResourceProperties('AWS::KMS::Key', {
    KeyPolicy: {
      Statement: Match.arrayWith([
        {
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
          Resource: '*',
          Condition: { StringEquals: { 'aws:SourceAccount': '123456789012' } },
        },
      ]),
    },
  });
  expect(warningsOf(stack)).toEqual([]);
});

it('a tracker warns if the key of the topic is imported, because the CDK cannot change its policy', () => {
  const { stack } = newTracker(
    (it) => ({ alarmTopic: Topic.fromTopicAttributes(it, 'Topic', { topicArn, keyArn }) }),
    region,
  );
  expect(warningsOf(stack)).toEqual([
    expect.stringContaining(
      'the policy of the imported key of `alarmTopic` must allow cloudwatch.amazonaws.com to perform these actions to ' +
        'send alarms to the topic: kms:Decrypt, kms:GenerateDataKey*; add them to the policy',
    ),
  ]);
});

it('a tracker does not warn about a topic without a key', () => {
  const { stack } = newTracker((it) => ({ alarmTopic: new Topic(it, 'Topic') }), region);
  expect(warningsOf(stack)).toEqual([]);
});
