import { Duration } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
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
      Timeout: 15 * 60,
    });
  });

  it.each([
    ['the default timeout', undefined, {}],
    ['a timeout of 120 s', 120, {}],
    ['a timeout of 1 s and 6 attempts', 1, { modelAttempts: 6 }],
    [
      'a timeout of 10 s, one attempt, and a backoff of 1 h',
      10,
      { modelAttempts: 1, modelBackoff: Duration.hours(1) },
    ],
    [
      'a timeout of 119 s, 5 attempts, and a backoff of 1 ms',
      119,
      { modelAttempts: 5, modelBackoff: Duration.millis(1) },
    ],
  ])('is long enough for a model with %s', (_, timeout, props) => {
    expect(() => addModel(timeout, props)).not.toThrow();
  });

  it.each([
    ['a timeout of 121 s', 121, {}, '`timeout` must be at most 120 seconds; got 121'],
    ['a timeout of 0 s', 0, {}, '`timeout` must be a whole number of seconds, at least 1; got 0'],
    [
      'a timeout of 120 s and 5 attempts',
      120,
      { modelAttempts: 5 },
      'model "orders": with a `timeout` of 120 s',
    ],
    [
      'a timeout of 10 s and 9 attempts',
      10,
      { modelAttempts: 9 },
      'the tracker: with a `timeout` of 10 s, 9 `modelAttempts`',
    ],
    [
      'a timeout of 10 s and a backoff of 5 min',
      10,
      { modelBackoff: Duration.minutes(5) },
      '`modelBackoff` of 300000 ms',
    ],
    [
      'a thousand attempts and no backoff',
      10,
      { modelAttempts: 1_000, modelBackoff: Duration.millis(0) },
      'takes 10020 s, but the dispatcher has only',
    ],
    [
      'no attempts',
      10,
      { modelAttempts: 0 },
      '`modelAttempts` must be an integer of at least 1; got 0',
    ],
    [
      '2.5 attempts',
      10,
      { modelAttempts: 2.5 },
      '`modelAttempts` must be an integer of at least 1; got 2.5',
    ],
  ])('rules out a model with %s', (_, timeout, props, message) => {
    expect(() => addModel(timeout, props)).toThrow(message);
  });
});
