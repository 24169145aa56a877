import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
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

it("a tracker's event stream must not have the name of another tracker's notification stream", () => {
  expect(() => namesWithTwoTrackers('orders', 'orders-notifications')).toThrow(
    'the stack already has a stream with the name "orders-notifications"',
  );
});

describe('trackers in two stacks of an app', () => {
  const env = { account: '111122223333', region: 'eu-west-1' };
  const addTracker = (app: App, id: string, environment?: typeof env) =>
    new ProcessTracker(new Stack(app, id, { env: environment }), 'Tracker', { bundles });
  const synthesize = (...environments: (typeof env | undefined)[]) => {
    const app = new App();
    for (const [n, each] of environments.entries()) addTracker(app, `Stack${n}`, each);
    return app.synth();
  };

  it('must have different stream names in the same account and region', () => {
    expect(() => synthesize(env, env)).toThrow(
      'the stack Stack0 already has a stream with the name "milepost-events"',
    );
  });

  it.each([
    ['different regions', env, { ...env, region: 'us-east-1' }],
    ['different accounts', env, { ...env, account: '444455556666' }],
    ['accounts and regions that are not known', undefined, undefined],
  ])('can have the same stream name in %s', (_, one, other) => {
    expect(synthesize(one, other).stacks).toHaveLength(2);
  });
});

it('two trackers with different stream names can be in one stack', () => {
  expect(namesWithTwoTrackers('orders', 'claims').toSorted()).toEqual([
    'claims',
    'claims-notifications',
    'orders',
    'orders-notifications',
  ]);
});
