import { expect, it } from 'vitest';
import { sortOut } from '../../src/service/duplicates.ts';
import type { PositionedEvent } from '../../src/service/protocol.ts';
import { transition } from '../../src/service/transition.ts';
import { counter } from '../support/counter-model.ts';
import { placed } from '../support/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryEventStream } from '../support/memory-event-stream.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { MemoryNotifier } from '../support/memory-notifier.ts';

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

it('recognises a duplicate that is delivered again, however many events came after it', async () => {
  const store = new MemoryInstanceStore();
  const environment = {
    model: counter,
    store,
    stream: new MemoryEventStream(),
    notifier: new MemoryNotifier(),
    clock: new ManualClock(),
  };
  const outcomes = async (...events: readonly PositionedEvent[]) =>
    (await transition(environment, events)).map(({ outcome }) => outcome);
  const [once, again] = [placed(1, { id: 'a' }), placed(2, { id: 'a' })];
  expect(await outcomes(once)).toEqual(['applied']);
  expect(await outcomes(again)).toEqual(['duplicate']);
  const later = Array.from({ length: 3_000 }, (_, i) => placed(i + 3, { id: `m${i}` }));
  for (let at = 0; at < later.length; at += 200) await outcomes(...later.slice(at, at + 200));
  expect(await outcomes(again)).toEqual(['duplicate']);
  expect(await outcomes(once)).toEqual(['duplicate']);
});
