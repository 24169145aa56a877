import { expect, it } from 'vitest';
import { sortOut } from '../../src/service/duplicates.ts';
import { placed } from '../support/events.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';

it('keeps the order of the first ones where a later event is sent again among them', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id, index) => placed(index + 1, { id }));
  const again = ['a', 'b'].map((id, index) => placed(index + 4, { id }));
  const { fresh, repeated } = await sortOut(new MemoryInstanceStore(), undefined, [
    a!,
    b!,
    c!,
    ...again,
  ]);
  expect(fresh).toEqual([a, b, c]);
  expect(repeated).toEqual(again);
});
