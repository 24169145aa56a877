import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createItemLock } from '../../../src/aws-local/dynamodb/item-lock.ts';

function setUp() {
  const lock = createItemLock();
  const events: string[] = [];
  const releases = new Map<string, () => void>();
  const acquire = (name: string, keys: string | string[]) =>
    lock(keys, (release) => {
      events.push(name);
      releases.set(
        name,
        release(() => events.push(`${name} done`)),
      );
    });
  const release = async (name: string) => {
    releases.get(name)!();
    await turn();
    await turn();
  };
  return { acquire, release, events };
}

it('callers hold the lock on a key one at a time, in the order of their calls', async () => {
  const { acquire, release, events } = setUp();
  for (const name of ['first', 'second', 'third']) acquire(name, 'a');
  acquire('other', 'b');
  expect(events).toEqual(['first', 'other']);
  await release('first');
  expect(events).toEqual(['first', 'other', 'first done', 'second']);
  await release('second');
  expect(events.at(-1)).toBe('third');
});

it('a caller waits for the locks on all its keys, and callers with the same keys do not deadlock', async () => {
  const { acquire, release, events } = setUp();
  acquire('one', 'b');
  acquire('several', ['a', 'b', 'c']);
  acquire('reverse', ['c', 'b', 'a']);
  acquire('last', 'a');
  expect(events).toEqual(['one']);
  await release('one');
  expect(events.at(-1)).toBe('several');
  await release('several');
  expect(events.at(-1)).toBe('reverse');
  await release('reverse');
  expect(events.at(-1)).toBe('last');
});
