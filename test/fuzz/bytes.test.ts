import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accountFor, must } from './accounts.ts';
import { anyRecord } from './any-bytes.ts';
import { transactions } from './any-event.ts';
import { batchOf } from './batch.ts';
import { cleanPrototypes } from './prototypes.ts';
import { fuzz, runs, timeLimit } from './settings.ts';
import { World } from './world.ts';

const batchSize = 50;

/** One event for each instance, to be applied after all other records. */
const behind = transactions.map((transactionid) =>
  JSON.stringify({
    id: 'behind',
    type: 'activation.requested',
    modelid: 'activation',
    transactionid,
    data: { service: 'nothing before it' },
  }),
);

it('records with any bytes have one outcome each and block no instance', {
  timeout: timeLimit,
}, async () => {
  let records = 0;
  const cases = fc.tuple(batchOf(anyRecord, batchSize), fc.boolean());
  await fuzz(cases, Math.ceil(runs / batchSize), async ([batch, apart]) => {
    const world = new World();
    const before = batch.map((bytes) => world.record(bytes));
    const last = behind.map((text) => world.record(text));
    for (const some of apart ? [before, last] : [[...before, ...last]]) await world.deliver(some);
    await accountFor(world);
    cleanPrototypes();
    for (const transaction of transactions) {
      const entries = world.instances
        .commitsOf({ model: 'activation', transaction })
        .flatMap((commit) => commit.entries);
      const entry = entries.findLast(({ event }) => event.id === 'behind');
      must(
        entry?.outcome === 'applied',
        () => `${transaction}: ${entry?.reason ?? 'the last event is missing'}`,
      );
    }
    records += batch.length;
  });
  expect(records).toBeGreaterThanOrEqual(runs);
});
