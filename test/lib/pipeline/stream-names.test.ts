import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { ProcessTracker } from '../../../lib/index.ts';
import { bundles, newTracker } from '../tracker.ts';

/** Returns the names of the streams in a stack with two trackers. */
function namesWithTwoTrackers(first: string, second: string): string[] {
  const { stack } = newTracker({ streamName: first });
  const tracker = new ProcessTracker(stack, 'Second', { bundles, streamName: second });
  const streams = Template.fromStack(Stack.of(tracker)).findResources('AWS::Kinesis::Stream');
  return Object.values(streams).map(({ Properties }) => Properties.Name);
}

it('two trackers in a stack must have different stream names', () => {
  expect(() => namesWithTwoTrackers('orders', 'orders')).toThrow(
    'the stack already has a stream with the name "orders"; set a different `streamName` for each tracker',
  );
});

it('the stream of a tracker must not have the name of the notification stream of another tracker', () => {
  expect(() => namesWithTwoTrackers('orders', 'orders-notifications')).toThrow(
    'the stack already has a stream with the name "orders-notifications"',
  );
});

it('two trackers with different stream names can be in one stack', () => {
  expect(namesWithTwoTrackers('orders', 'claims').toSorted()).toEqual([
    'claims',
    'claims-notifications',
    'orders',
    'orders-notifications',
  ]);
});
