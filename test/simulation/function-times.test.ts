import { expect, it } from 'vitest';
import {
  dispatcherTimeout as deployed,
  maximumModelTimeout,
} from '../../lib/pipeline/dispatcher-time.ts';
import { dispatcherTimeout } from './function-times.ts';
import { scenarioOf } from './scenario.ts';

it('the functions of the simulation have the deployed timeouts', () => {
  expect(dispatcherTimeout).toBe(deployed.toMilliseconds());
  for (let seed = 1; seed <= 50; seed++)
    expect(scenarioOf(seed, {}, 0).modelTimeout).toBeLessThanOrEqual(
      maximumModelTimeout.toMilliseconds(),
    );
});
