import { describe, expect, it } from 'vitest';
import type { Description } from '../../../src/core/model/description.ts';
import { milestoneStep, statusStep, stepTimes } from '../../../src/core/status/step-times.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const start = Date.UTC(2026, 0, 1);
const at = (seconds: number) => toIso(start + 1000 * seconds);

/** An instance whose first event happened at the start. */
const before = (status: string, since: number) => ({
  description: { status },
  startedAt: at(0),
  statusSince: at(since),
});
/** Returns a commit whose only event happened and was recorded at the same time. */
const commit = (description: Description, seconds: number, done = false) => ({
  at: at(seconds),
  startedAt: at(0),
  description: { ...description, done },
  entries: [entry(description.status, seconds)],
  changes: done ? { done: true as const } : {},
});
const entry = (status: string, seconds: number) => ({
  event: { time: at(seconds), type: 'moved', source: 'test' },
  outcome: 'applied' as const,
  status,
});
const reached = (...seconds: (number | undefined)[]) =>
  seconds.map((each, index) => ({
    id: `m${index}`,
    ...(each === undefined ? {} : { at: at(each) }),
  }));

describe('stepTimes', () => {
  it('contains the time spent in a status when the instance leaves the status', () => {
    expect(stepTimes(before('A', 5), commit({ status: 'B' }, 12))).toEqual([
      { step: statusStep('A'), ms: 7000 },
    ]);
    expect(stepTimes(before('A', 5), commit({ status: 'A' }, 12))).toEqual([]);
    expect(stepTimes(undefined, commit({ status: 'A' }, 12))).toEqual([]);
  });

  it('measures in event time, regardless of when the events were recorded', () => {
    const imported = {
      ...commit({ status: 'C' }, 1_000_000),
      entries: [entry('A', 6), entry('B', 12), entry('C', 15)],
    };
    expect(stepTimes(before('A', 5), imported)).toEqual([
      { step: statusStep('A'), ms: 7000 },
      { step: statusStep('B'), ms: 3000 },
    ]);
  });

  it('omits a step whose reported end precedes its start', () => {
    const late = { ...commit({ status: 'B' }, 12), entries: [entry('B', 4)] };
    expect(stepTimes(before('A', 5), late)).toEqual([]);
  });

  it('ends a step at the record time of its event if the event is from the future', () => {
    const early = { ...commit({ status: 'B' }, 12), entries: [entry('B', 500)] };
    expect(stepTimes(before('A', 5), early)).toEqual([{ step: statusStep('A'), ms: 7000 }]);
    const milestones = reached(500);
    expect(stepTimes(undefined, commit({ status: 'A', milestones }, 20, true))).toEqual([
      { step: milestoneStep(null, 'm0'), ms: 20_000 },
    ]);
  });

  it('contains the time between any two milestones, in the order in which they were reached, when the process ends', () => {
    const milestones = reached(10, undefined, 4);
    expect(stepTimes(before('A', 0), commit({ status: 'A', milestones }, 20))).toEqual([]);
    expect(stepTimes(before('A', 0), commit({ status: 'A', milestones }, 20, true))).toEqual([
      { step: milestoneStep(null, 'm2'), ms: 4000 },
      { step: milestoneStep(null, 'm0'), ms: 10_000 },
      { step: milestoneStep('m2', 'm0'), ms: 6000 },
    ]);
  });

  it('omits the time from the start to a milestone that precedes the start', () => {
    const milestones = reached(-10, 5);
    expect(stepTimes(undefined, commit({ status: 'A', milestones }, 20, true))).toEqual([
      { step: milestoneStep(null, 'm1'), ms: 5000 },
      { step: milestoneStep('m0', 'm1'), ms: 15_000 },
    ]);
  });

  it('ignores the time before the first applied event', () => {
    const rejected = { ...before('A', 5), startedAt: null };
    expect(stepTimes(rejected, commit({ status: 'B' }, 12))).toEqual([]);
    const never = { ...commit({ status: 'A', milestones: reached(5) }, 20, true), startedAt: null };
    expect(stepTimes(undefined, never)).toEqual([]);
  });

  it('contains only steps between consecutive milestones if there are very many milestones', () => {
    const milestones = reached(...Array.from({ length: 40 }, (_, index) => index));
    expect(stepTimes(undefined, commit({ status: 'A', milestones }, 50, true))).toEqual(
      milestones.map(({ id }, index) => ({
        step: milestoneStep(index === 0 ? null : `m${index - 1}`, id),
        ms: index === 0 ? 0 : 1000,
      })),
    );
  });
});
