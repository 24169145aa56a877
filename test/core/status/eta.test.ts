import { describe, expect, it } from 'vitest';
import { etaOf } from '../../../src/core/status/eta.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { milestoneStep } from '../../../src/core/status/step-times.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const milestones = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
  { id: 'c', label: 'C' },
];
const start = Date.UTC(2026, 0, 1);
const second = 1000;
const at = (ms: number) => toIso(start + ms);

/** Step durations of `slow` instances that took `seconds` for a step and `fast` instances that took one second. */
function paceOf(step: string, slow: number, seconds = 100, fast = 0) {
  const stepDurations = new StepDurations();
  stepDurations.add(Array.from({ length: slow }, () => ({ step, ms: seconds * second })));
  stepDurations.add(Array.from({ length: fast }, () => ({ step, ms: second })));
  return stepDurations;
}
const about = (ms: number) =>
  expect.toSatisfy((time: string) => Math.abs(Date.parse(time) - start - ms) <= 0.051 * ms);

describe('etaOf', () => {
  const unreached = { status: 'Open' };

  it('estimates from the start of the instance if no milestone is reached', () => {
    const stepDurations = paceOf(milestoneStep(null, 'b'), 20);
    expect(etaOf(milestones, unreached, at(0), stepDurations, start)).toEqual([
      { id: 'b', p50: about(100 * second), p90: about(100 * second) },
    ]);
  });

  it('returns nothing for an instance that has not started', () => {
    const stepDurations = paceOf(milestoneStep(null, 'b'), 20);
    expect(etaOf(milestones, unreached, null, stepDurations, start)).toEqual([]);
  });

  it('estimates from the most recently reached milestone, even if an earlier event reached a later milestone', () => {
    const stepDurations = paceOf(milestoneStep('a', 'c'), 20, 10);
    stepDurations.merge(paceOf(milestoneStep('b', 'c'), 20, 1000));
    const description = {
      status: 'Open',
      milestones: [
        { id: 'a', at: at(60 * second) },
        { id: 'b', at: at(30 * second) },
      ],
    };
    expect(etaOf(milestones, description, at(0), stepDurations, start + 61 * second)).toEqual([
      { id: 'c', p50: about(70 * second), p90: about(70 * second) },
    ]);
  });

  it('returns nothing if fewer than 20 instances have finished the step', () => {
    const told = (count: number) =>
      etaOf(milestones, unreached, at(0), paceOf(milestoneStep(null, 'a'), count), start).length;
    expect([19, 20].map(told)).toEqual([0, 1]);
  });

  it('never returns a time in the past, because it ignores steps that took less time than has already passed', () => {
    const stepDurations = paceOf(milestoneStep(null, 'a'), 10, 100, 90);
    const told = (waited: number) =>
      etaOf(milestones, unreached, at(0), stepDurations, start + waited);
    expect(told(0)).toEqual([{ id: 'a', p50: about(second), p90: about(second) }]);
    expect(told(10 * second)).toEqual([
      { id: 'a', p50: about(100 * second), p90: about(100 * second) },
    ]);
    expect(told(200 * second)).toEqual([]);
  });

  it('returns nothing for milestones that are reached, skipped, or no longer expected', () => {
    const stepDurations = paceOf(milestoneStep('b', 'a'), 20);
    stepDurations.merge(paceOf(milestoneStep('b', 'c'), 20));
    const reached = { status: 'Open', milestones: [{ id: 'b', at: at(0) }] };
    const both = { status: 'Open', milestones: [...reached.milestones, { id: 'a', at: at(-1) }] };
    const optional = [{ ...milestones[0]!, optional: true }, ...milestones.slice(1)];
    const told = (...told: Parameters<typeof etaOf>) => etaOf(...told).map(({ id }) => id);
    expect(told(milestones, reached, at(0), stepDurations, start)).toEqual(['a', 'c']);
    expect(told(milestones, both, at(-1), stepDurations, start)).toEqual(['c']);
    expect(told(optional, reached, at(0), stepDurations, start)).toEqual(['c']);
    expect(told(milestones, { ...reached, done: true }, at(0), stepDurations, start)).toEqual([]);
  });
});
