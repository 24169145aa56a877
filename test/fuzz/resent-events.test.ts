import { expect, it } from 'vitest';
import { transition } from '../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';

it('an event that is resent after up to 200,000 other events is recognized as a duplicate, even by a new process', async () => {
  const count = 200_000;
  const clock = new ManualClock();
  const instances = new InstancesInMemory(clock);
  const environment = {
    model: counter,
    store: instances.store,
    stream: new EventStreamInMemory(),
    notifier: new NotifierInMemory(),
    clock,
  };
  const outcomes = async (from: number, to: number, store = environment.store) => {
    const events = Array.from({ length: to - from }, (_, n) =>
      // The position is later, because the producer resends the event.
      placed(store === environment.store ? from + n : count + from + n, { id: `e${from + n}` }),
    );
    return (await transition({ ...environment, store }, events)).map(({ outcome }) => outcome);
  };
  for (let from = 0; from < count; from += 1_000) await outcomes(from, from + 1_000);
  const resent = [0, 1, 999, 1_000, 12_345, 99_999, 100_000, 150_001, 199_000, count - 1];
  for (const number of resent)
    expect(await outcomes(number, number + 1, instances.newStore())).toEqual(['duplicate']);
  const { commit } = await latest(instances);
  expect(JSON.parse(commit!.state)).toMatchObject({ sum: count });
  expect(commit!.seen.runs.map(({ flushes }) => flushes)).toEqual([9, 90, 100]);
}, 300_000);

async function latest(instances: InstancesInMemory) {
  const [read] = await instances.store.readConsistent([placed(0).event]);
  if ('error' in read!) throw read.error;
  return read!.value;
}
