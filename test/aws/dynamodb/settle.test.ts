import { expect, it } from 'vitest';
import { settleRemaining } from '../../../src/aws/dynamodb/settle.ts';

it('settleRemaining runs the work only for inputs without a value, and returns the results in the order of the inputs', async () => {
  const tried: string[] = [];
  const answers = [{ value: 'A' }, { error: new Error('no') }, undefined, { value: 'D' }];
  const settled = await settleRemaining(['a', 'b', 'c', 'd'], answers, async (input) => {
    tried.push(input);
    if (input === 'b') throw new Error('no again');
    return input.toUpperCase();
  });
  expect(tried).toEqual(['b', 'c']);
  expect(settled).toEqual([
    { value: 'A' },
    { error: new Error('no again') },
    { value: 'C' },
    { value: 'D' },
  ]);
});
