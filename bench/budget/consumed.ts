import { bundleSizes } from '../cold-start/bundle-sizes.ts';
import { backlog, batchesOf, oneByOne, unfolded } from '../cost/batches.ts';
import { type Consumption, consumptionOf } from '../cost/measure.ts';
import { readDefinition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';

/**
 * The number of instances in each workload: large enough for representative counts, and small enough for a test.
 */
const instances = 40;

/**
 * Counts the resources that the budget limits: the requests, waits, read and write units, and bytes of each workload,
 * and the size of each Lambda function's bundle. No count depends on the machine or its load.
 */
export async function consumed(): Promise<Record<string, number>> {
  const definition = await readDefinition();
  const { batchSize, lanes } = definition;
  const rounds = recordsOfWork('rounds', instances);
  const bursts = recordsOfWork('bursts', instances);
  const hot = recordsOfWork('hot', instances);
  const works = {
    A: unfolded(rounds, batchSize),
    B: batchesOf(bursts, { batchSize, lanes, perRead: backlog }),
    C: batchesOf(hot, { batchSize, lanes, perRead: backlog }),
    'A, one event per batch': oneByOne(rounds),
    'C, one event per batch': oneByOne(hot),
  };
  const counts: Record<string, number> = {};
  for (const [work, batches] of Object.entries(works)) {
    const options = { notifications: true, environments: lanes };
    const consumption = await consumptionOf(definition, batches, options);
    for (const [what, count] of Object.entries(limitedCounts(consumption)))
      counts[`${work}: ${what}`] = count;
  }
  for (const { name, raw } of await bundleSizes(definition.service))
    counts[`bundle of ${name}: bytes`] = raw;
  return counts;
}

function limitedCounts({ requests, roundsPerBatch, perEvent, bytes, stored }: Consumption) {
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, each) => total + each, 0);
  return {
    'requests per event': sum(requests),
    'rounds per batch': roundsPerBatch,
    'write units per event': perEvent.writeUnits,
    'read units per event': perEvent.readUnits,
    'bytes sent and received per event': sum(bytes),
    'bytes stored per event': stored,
  };
}
