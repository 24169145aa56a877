import { expect, it } from 'vitest';
import { dropDuplicates } from '../../src/service/duplicates.ts';
import { placed } from '../support/events.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';

it('keeps the order of the first ones where a later event is sent again among them', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id, index) => placed(index + 1, { id }));
  const again = ['a', 'b'].map((id, index) => placed(index + 4, { id }));
  const left = await dropDuplicates(new MemoryInstanceStore(), undefined, [a!, b!, c!, ...again]);
  expect(left).toEqual([a, b, c]);
});
