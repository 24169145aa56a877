import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StepDurations } from '../../../src/core/status/step-durations.ts';

const durations = fc.array(fc.integer({ min: 0, max: 10 * 365 * 86_400_000 }), {
  minLength: 1,
  maxLength: 200,
});

const paceOf = (ms: readonly number[], step = 'step') => {
  const stepDurations = new StepDurations();
  stepDurations.add(ms.map((each) => ({ step, ms: each })));
  return stepDurations;
};

describe('StepDurations', () => {
  it('estimates the median and the 90th percentile of a step to within 5%', () => {
    fc.assert(
      fc.property(durations, (ms) => {
        const sorted = ms.toSorted((a, b) => a - b);
        const told = paceOf(ms).estimate('step', 1)!;
        for (const [share, value] of [
          [0.5, told.p50],
          [0.9, told.p90],
        ] as const) {
          const exact = sorted[Math.floor(share * (sorted.length - 1))]!;
          expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.0501 * exact + 1e-9);
        }
      }),
    );
  });

  it('has the same result for any order of merging, storing, and loading', () => {
    fc.assert(
      fc.property(durations, durations, (some, others) => {
        const merged = StepDurations.from(paceOf(some).toStored());
        merged.merge(StepDurations.from(JSON.parse(JSON.stringify(paceOf(others).toStored()))));
        expect(merged.toStored()).toEqual(paceOf([...others, ...some]).toStored());
      }),
    );
  });

  it('estimates nothing with too few samples or for an unknown step', () => {
    const stepDurations = paceOf([1, 2, 3]);
    expect(stepDurations.estimate('step', 3)).toMatchObject({ count: 3 });
    expect(stepDurations.estimate('step', 4)).toBeUndefined();
    expect(stepDurations.estimate('other', 1)).toBeUndefined();
    expect(new StepDurations().isEmpty).toBe(true);
    expect(stepDurations.isEmpty).toBe(false);
  });

  it('can be restricted to samples above a minimum', () => {
    const stepDurations = paceOf([0, 100, 100, 100, 100, 100, 100, 10_000, 10_000]);
    expect(stepDurations.estimate('step', 1)!.p50).toBeLessThan(110);
    expect(stepDurations.estimate('step', 1, 1000)).toMatchObject({ count: 2 });
    expect(stepDurations.estimate('step', 1, 1000)!.p50).toBeGreaterThan(9_000);
    expect(stepDurations.estimate('step', 1, 20_000)).toBeUndefined();
  });

  it('gives new samples more weight than old samples, so estimates follow changes', () => {
    let stepDurations = paceOf(Array.from({ length: 20_000 }, () => 1000));
    for (let day = 0; day < 30; day++) {
      stepDurations = StepDurations.from(stepDurations.toStored());
      stepDurations.merge(paceOf(Array.from({ length: 1000 }, () => 100_000)));
    }
    expect(stepDurations.estimate('step', 1)!.p50).toBeGreaterThan(90_000);
    expect(stepDurations.estimate('step', 1)!.count).toBeLessThan(20_000);
  });

  it('forgets rare durations and stores only whole counts, however often weights are halved', () => {
    let stepDurations = paceOf([7]);
    for (let day = 0; day < 20; day++) {
      stepDurations.merge(paceOf(Array.from({ length: 10_000 }, (_, n) => 1_000 + n)));
      stepDurations = StepDurations.from(stepDurations.toStored());
    }
    const stored = stepDurations.toStored()['step']!;
    expect(stored.every(Number.isInteger)).toBe(true);
    const [, rare] = paceOf([7]).toStored()['step']!;
    expect(stored.filter((_, n) => n % 2 === 1)).not.toContain(rare);
  });

  it('keeps the steps with the most samples if there are too many steps to store', () => {
    const stepDurations = new StepDurations();
    for (let n = 0; n < 50_000; n++) stepDurations.add([{ step: `order ${n} waits`, ms: n }]);
    stepDurations.add([1, 2, 3].map((ms) => ({ step: 'often', ms })));
    const stored = stepDurations.toStored();
    expect(JSON.stringify(stored).length).toBeLessThanOrEqual(700 * 1024);
    expect(Object.keys(stored).length).toBeGreaterThan(10_000);
    expect(StepDurations.from(stored).estimate('often', 3)).toMatchObject({ count: 3 });
  });

  it('distributes the samples over equal intervals', () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: 1, max: 40 }), (ms, intervals) => {
        const known = paceOf(ms);
        const { upTo, shares } = known.distribution('step', intervals)!;
        expect(shares).toHaveLength(intervals);
        expect(shares.every((share) => share >= 0)).toBe(true);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
        // Compare with the samples. The bin of a sample and the interval can each be off by up to 5%.
        for (const [i] of shares.entries()) {
          const end = ((i + 1) * upTo) / intervals;
          if (i === intervals - 1) break;
          const shareTo = shares.slice(0, i + 1).reduce((sum, share) => sum + share, 0);
          const below = ms.filter((each) => each < end / 1.12).length / ms.length;
          const atMost = ms.filter((each) => each <= end * 1.12).length / ms.length;
          expect(shareTo).toBeGreaterThanOrEqual(below - 1e-9);
          expect(shareTo).toBeLessThanOrEqual(atMost + 1e-9);
        }
      }),
    );
  });

  it('keeps the intervals of a distribution short if only a few durations are very long', () => {
    const { upTo, shares } = paceOf([
      ...Array<number>(99).fill(60_000),
      365 * 86_400_000,
    ]).distribution('step', 24)!;
    expect(upTo).toBeLessThan(100_000);
    expect(shares.at(-1)).toBeCloseTo(0.01);
  });

  it('has no distribution for an unknown step', () => {
    expect(paceOf([1]).distribution('other', 24)).toBeUndefined();
  });
});
