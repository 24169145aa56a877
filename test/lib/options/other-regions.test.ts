import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import {
  type EventBridgeSourceProps,
  Notifications,
  ProcessTracker,
  type ProcessTrackerProps,
} from '../../../lib/index.ts';
import { bundles, newFolder } from '../tracker.ts';

const account = '123456789012';
const outdir = newFolder('other-regions');
const newStack = (region?: string) =>
  new Stack(new App({ outdir }), 'Test', region === undefined ? {} : { env: { account, region } });
const arn = (service: string, resource: string, owner = account) =>
  `arn:aws:${service}:us-east-1:${owner}:${resource}`;
const trackerIn = (stack: Stack, props: ProcessTrackerProps = {}) =>
  new ProcessTracker(stack, 'Tracker', { bundles, ...props });

const topicIn = (stack: Stack) => Topic.fromTopicArn(stack, 'Topic', arn('sns', 'alarms'));
const busOf = (stack: Stack, owner?: string) =>
  EventBus.fromEventBusArn(stack, 'Bus', arn('events', 'event-bus/shop', owner));
const mapping = (bus: EventBridgeSourceProps['bus']): EventBridgeSourceProps => ({
  bus,
  eventPattern: { source: ['shop'] },
  event: { modelId: '$.detail.model', transactionId: '$.detail.order' },
});

describe('a tracker rejects a resource of another region', () => {
  it.each<[string, (stack: Stack) => unknown]>([
    ['`alarmTopic`', (stack) => trackerIn(stack, { alarmTopic: topicIn(stack) })],
    [
      '`encryptionKey`',
      (stack) =>
        trackerIn(stack, { encryptionKey: Key.fromKeyArn(stack, 'Key', arn('kms', 'key/k')) }),
    ],
    [
      'the bus of `notifications`',
      (stack) => trackerIn(stack, { notifications: Notifications.toBus(busOf(stack)) }),
    ],
    [
      'event source "Shop": `bus`',
      (stack) => trackerIn(stack).addEventBridgeSource('Shop', mapping(busOf(stack))),
    ],
    [
      'model "loans": `function`',
      (stack) =>
        trackerIn(stack).addModelFunction('loans', {
          function: Function.fromFunctionArn(stack, 'Loans', arn('lambda', 'function:loans')),
        }),
    ],
  ])('%s', (subject, create) => {
    expect(() => create(newStack('eu-west-1'))).toThrow(
      `${subject} must be in the region of the stack, eu-west-1; got us-east-1`,
    );
    expect(() => create(newStack('us-east-1'))).not.toThrow();
  });
});

it('a tracker rejects an event source bus in another account, because the rule would read a bus in the account of the stack', () => {
  const stack = newStack('us-east-1');
  const tracker = trackerIn(stack);
  const source = mapping(busOf(stack, '999999999999'));
  expect(() => tracker.addEventBridgeSource('Shop', source)).toThrow(
    'event source "Shop": `bus` must be in the account of the stack, 123456789012; got 999999999999',
  );
});

it('a tracker accepts a resource of any region in a stack whose region is not known', () => {
  const stack = newStack();
  expect(() => trackerIn(stack, { alarmTopic: topicIn(stack) })).not.toThrow();
});
