import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { accountFor, must } from './accounts.ts';
import { anyEventText } from './any-event.ts';
import { batchOf } from './batch.ts';
import { checkHistories } from './histories.ts';
import { cleanPrototypes } from './prototypes.ts';
import { fuzz, runs, timeLimit } from './settings.ts';
import { World } from './world.ts';

const eventsInACase = 100;

/** The deliveries of a stream, each with a number of redelivered records followed by a number of new records. */
const deliveries = fc.array(
  fc.record({ fresh: fc.integer({ min: 1, max: 40 }), again: fc.constantFrom(0, 0, 1, 5, 100) }),
  { minLength: 1, maxLength: 8 },
);

it('any events are applied once and in order, and folding the histories again results in the same states', {
  timeout: timeLimit,
}, async () => {
  let applied = 0;
  let made = 0;
  const cases = fc.tuple(batchOf(anyEventText, eventsInACase), deliveries);
  await fuzz(cases, Math.ceil(runs / eventsInACase), async ([texts, plan]) => {
    const world = new World();
    const records = texts.map((text) => world.record(text));
    for (const batch of batches(records, plan)) await world.deliver(batch);
    await accountFor(world);
    checkHistories(world);
    cleanPrototypes();
    await checkViews(world);
    made += texts.length;
    applied += [...world.instances.histories.values()]
      .flatMap((commits) => commits.flatMap(({ entries }) => entries))
      .filter(({ outcome }) => outcome === 'applied').length;
  });
  expect(made).toBeGreaterThanOrEqual(runs);
  // Without enough applied events, the other checks would be meaningless.
  expect(applied).toBeGreaterThan(made / 10);
});

/** Returns batches of all records in order, some of which are redelivered together with later records. */
function batches(
  records: readonly StreamRecord[],
  plan: readonly { readonly fresh: number; readonly again: number }[],
): StreamRecord[][] {
  const made: StreamRecord[][] = [];
  for (let from = 0; from < records.length; ) {
    const { fresh, again } = plan[made.length % plan.length]!;
    made.push(records.slice(Math.max(0, from - again), from + fresh));
    from += fresh;
  }
  return made;
}

/** Checks that every instance can be read through the API. */
async function checkViews({ app, instances, errors }: World): Promise<void> {
  for (const [name, commits] of instances.histories) {
    const { model, transaction, state } = commits[0]!;
    // Skip `.` and `..`, which have a special meaning as path segments, even if they are encoded.
    if (transaction === '.' || transaction === '..') continue;
    const path = `/api/instances/${model}/${encodeURIComponent(transaction)}`;
    for (const view of [path, `${path}/history?limit=100`]) {
      const response = await app.request(view);
      must(response.status === 200, () => `${name} ${state}: ${errors.at(-1) as string}`);
      await response.json();
    }
  }
}
