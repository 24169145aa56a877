import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const seeds = 5;

it(`the auditor finds no violated guarantee in the first ${seeds} runs of the simulation`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { findings } = await simulate(seed);
    expect(findings, `npm run simulate -- --seed ${seed}`).toEqual([]);
  }
}, 180_000);
