import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { maximumModelTimeout } from '../../lib/pipeline/dispatcher-time.ts';
import { templateOf } from '../lib/tracker.ts';
import { clockTimeout, dispatcherTimeout, publisherTimeout } from './function-times.ts';
import { scenarioOf } from './scenario.ts';

/** Returns the deployed timeout of the function with a description, in milliseconds. */
function timeoutOf(template: Template, description: string): number {
  const found = Object.values(
    template.findResources('AWS::Lambda::Function', {
      Properties: { Description: `Milepost: ${description}` },
    }),
  );
  expect(found).toHaveLength(1);
  return 1_000 * (found[0]!['Properties'].Timeout as number);
}

it('the functions of the simulation have the deployed timeouts', () => {
  const template = templateOf({});
  expect({
    dispatcher: dispatcherTimeout,
    publisher: publisherTimeout,
    clock: clockTimeout,
    wakeup: clockTimeout,
  }).toEqual({
    dispatcher: timeoutOf(template, 'dispatches events from the stream to their models'),
    publisher: timeoutOf(template, 'publishes notifications on the bus'),
    clock: timeoutOf(template, 'fires due timers'),
    wakeup: timeoutOf(template, 'fires timers at the exact second'),
  });
});

it('the models of the simulation have at most the maximum timeout of a deployed model', () => {
  for (let seed = 1; seed <= 50; seed++)
    expect(scenarioOf(seed, {}, 0).modelTimeout).toBeLessThanOrEqual(
      maximumModelTimeout.toMilliseconds(),
    );
});
