import { expect, it } from 'vitest';
import { availabilityFaults } from './availability-faults.ts';
import { countingFaults } from './counting-faults.ts';
import { deploymentFaults } from './deployment-faults.ts';
import { effectFaults } from './effect-faults.ts';
import { faults } from './faults.ts';
import { growthFaults } from './growth-faults.ts';
import { limitFaults } from './limit-faults.ts';
import { personalDataFaults } from './personal-data-faults.ts';
import { simulate } from './simulate.ts';

/** The number of seeds within which the auditor must detect every fault. */
const seeds = 300;

const table = Object.entries({
  ...faults,
  ...effectFaults,
  ...limitFaults,
  ...availabilityFaults,
  ...countingFaults,
  ...growthFaults,
  ...personalDataFaults,
  ...deploymentFaults,
});

it.each(table)(
  'the auditor detects that %s',
  async (_, [sabotage, finding]) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { findings } = await simulate(seed, sabotage);
      if (findings.some((each) => finding.test(each))) return;
    }
    expect.fail(`not detected within ${seeds} seeds`);
  },
  180_000,
);
