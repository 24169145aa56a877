import { expect, it } from 'vitest';
import { batchesOf, unfolded } from '../../bench/cost/batches.ts';
import { consumptionOf } from '../../bench/cost/measure.ts';
import { readDefinition } from '../../bench/support/definition.ts';
import { recordsOfWork } from '../../bench/support/records.ts';
import { defaultMemory, measuredWorks } from '../../src/cost/measured.ts';

/* A few instances are enough, because write units depend only on the sizes of items. */
it('the tracker consumes the write units that the cost model assumes', async () => {
  const definition = await readDefinition();
  const { batchSize, lanes, dispatcherMemory, modelMemory } = definition;
  expect({ dispatcher: dispatcherMemory, model: modelMemory }).toEqual(defaultMemory);
  const options = { notifications: true, environments: lanes };
  const apart = await consumptionOf(
    definition,
    unfolded(recordsOfWork('rounds', 40), 100),
    options,
  );
  const together = batchesOf(recordsOfWork('bursts', 40), { batchSize, lanes, perRead: 1_000 });
  const burst = await consumptionOf(definition, together, options);
  for (const [{ perEvent, writeUnits }, work] of [
    [apart, measuredWorks.A],
    [burst, measuredWorks.B],
  ] as const) {
    // Subtract the writes that record a status, because they happen only once, regardless of the number of instances.
    const lasting = perEvent.writeUnits - writeUnits['IN-USE']!;
    expect(lasting).toBeCloseTo(work.perEvent.writeUnits, 5);
    expect(perEvent.busEvents).toBe(work.perEvent.busEvents);
    expect(perEvent.notificationRecords).toBeCloseTo(work.perEvent.notificationRecords, 5);
  }
}, 60_000);
