import { Duration } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { dispatcherTimeout } from '../../../lib/pipeline/dispatcher-time.ts';
import { entry, newTracker, templateOf } from '../tracker.ts';

const addModel = (timeout: number | undefined, props: object = {}) => {
  const { tracker } = newTracker(props);
  return tracker.addModel('orders', {
    entry,
    ...(timeout !== undefined && { timeout: Duration.seconds(timeout) }),
  });
};

describe('the timeout of the dispatcher', () => {
  it('is the maximum timeout of Lambda', () => {
    templateOf({}).hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Milepost: dispatches events from the stream to their models',
      Timeout: dispatcherTimeout.toSeconds(),
    });
  });

  it.each([
    [undefined, {}],
    [120, {}],
    [1, { modelAttempts: 6 }],
    [10, { modelAttempts: 1, modelBackoff: Duration.hours(1) }],
    [119, { modelAttempts: 5, modelBackoff: Duration.millis(1) }],
  ])('is compatible with the model timeout %s and the options %j', (timeout, props) => {
    expect(() => addModel(timeout, props)).not.toThrow();
  });

  it.each([
    [121, {}, '`timeout` must be at most 120 seconds; got 121'],
    [0, {}, '`timeout` must be a whole number of seconds, at least 1; got 0'],
    [120, { modelAttempts: 5 }, 'model "orders": with a `timeout` of 120 s'],
    [10, { modelAttempts: 9 }, 'the tracker: with a `timeout` of 10 s, 9 `modelAttempts`'],
    [10, { modelBackoff: Duration.minutes(5) }, '`modelBackoff` of 300000 ms'],
    [10, { modelAttempts: 0 }, '`modelAttempts` must be an integer of at least 1; got 0'],
    [10, { modelAttempts: 2.5 }, '`modelAttempts` must be an integer of at least 1; got 2.5'],
  ])('is incompatible with the model timeout %i and the options %j', (timeout, props, message) => {
    expect(() => addModel(timeout, props)).toThrow(message);
  });
});
