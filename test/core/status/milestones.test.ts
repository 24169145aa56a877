import { describe, expect, it } from 'vitest';
import type { Description, MilestoneProgress } from '../../../src/core/model/description.ts';
import {
  lateAndRiskTimes,
  milestoneViews,
  progressOf,
} from '../../../src/core/status/milestones.ts';

const now = Date.UTC(2026, 0, 10);
const past = '2026-01-09T00:00:00Z';
const future = '2026-01-11T00:00:00Z';
const milestones = [
  { id: 'a', label: 'First' },
  { id: 'b', label: 'Second', optional: true },
  { id: 'c', label: 'Third' },
  { id: 'd', label: 'Fourth' },
];
const described = (...progress: MilestoneProgress[]): Description => ({
  status: 'x',
  milestones: progress,
});
const states = (description: Description) =>
  milestoneViews(milestones, description, now).map(({ state }) => state);

describe('milestoneViews', () => {
  it('returns each milestone with its known times, in the order of the model', () => {
    const description = described({ id: 'c', expectedBy: future }, { id: 'a', at: past });
    expect(milestoneViews(milestones, description, now)).toEqual([
      { id: 'a', label: 'First', state: 'reached', at: past, expectedBy: null, atRiskAt: null },
      { id: 'b', label: 'Second', state: 'current', at: null, expectedBy: null, atRiskAt: null },
      { id: 'c', label: 'Third', state: 'pending', at: null, expectedBy: future, atRiskAt: null },
      { id: 'd', label: 'Fourth', state: 'pending', at: null, expectedBy: null, atRiskAt: null },
    ]);
  });

  it.each<[what: string, description: Description, expected: string[]]>([
    ['nothing is known', { status: 'x' }, ['current', 'pending', 'pending', 'pending']],
    ['no milestone is reached', described(), ['current', 'pending', 'pending', 'pending']],
    [
      'all milestones are reached',
      described(...milestones.map(({ id }) => ({ id, at: past }))),
      ['reached', 'reached', 'reached', 'reached'],
    ],
    [
      'an optional milestone is skipped',
      described({ id: 'a', at: past }, { id: 'c', at: past }),
      ['reached', 'skipped', 'reached', 'current'],
    ],
    [
      'a required milestone is skipped',
      described({ id: 'c', at: past }),
      ['pending', 'skipped', 'reached', 'current'],
    ],
    [
      'two milestones are late',
      described({ id: 'a', expectedBy: past }, { id: 'c', expectedBy: past }),
      ['late', 'pending', 'late', 'pending'],
    ],
    [
      'a late milestone is reached',
      described({ id: 'a', at: past, expectedBy: past }),
      ['reached', 'current', 'pending', 'pending'],
    ],
    [
      'the process is done',
      { ...described({ id: 'a', at: past }, { id: 'c', expectedBy: past }), done: true },
      ['reached', 'skipped', 'skipped', 'skipped'],
    ],
  ])('returns the state of each milestone if %s', (_, description, expected) => {
    expect(states(description)).toEqual(expected);
  });

  it('reports a milestone as late only after its expected time', () => {
    const at = (expectedBy: string) => states(described({ id: 'a', expectedBy }))[0];
    expect(at('2026-01-10T00:00:00Z')).toBe('current');
    expect(at('2026-01-09T23:59:59.999Z')).toBe('late');
  });

  it('reports a milestone as at risk until it is late or reached', () => {
    const state = (progress: Partial<MilestoneProgress>) =>
      states(described({ id: 'a', ...progress }))[0];
    expect(state({ atRiskAt: future, expectedBy: future })).toBe('current');
    expect(state({ atRiskAt: past, expectedBy: future })).toBe('at-risk');
    expect(state({ atRisk: true })).toBe('at-risk');
    expect(state({ atRiskAt: past, expectedBy: past })).toBe('late');
    expect(state({ atRiskAt: past, paused: true })).toBe('at-risk');
    expect(state({ at: past, atRiskAt: past })).toBe('reached');
  });

  it('returns how late a milestone is, or how late it was reached', () => {
    const lateBy = (progress: Partial<MilestoneProgress>) =>
      milestoneViews(milestones, described({ id: 'a', ...progress }), now)[0]!.lateBy;
    expect(lateBy({ expectedBy: past })).toBe('P1D');
    expect(lateBy({ expectedBy: past, at: '2026-01-09T02:00:00.5Z' })).toBe('PT2H0.5S');
    expect(lateBy({ expectedBy: past, at: past })).toBeUndefined();
    expect(lateBy({ expectedBy: future })).toBeUndefined();
    expect(lateBy({ late: true })).toBeUndefined();
  });

  it('shows that a milestone is paused unless it is skipped', () => {
    const description = described({ id: 'a', paused: true }, { id: 'b', paused: true });
    const views = (more: object) => milestoneViews(milestones, { ...description, ...more }, now);
    expect(views({})[0]).toMatchObject({ state: 'current', expectedBy: null, paused: true });
    expect(views({ done: true })[0]).not.toHaveProperty('paused');
  });

  it('returns an empty list for a model without milestones', () => {
    expect(milestoneViews([], described({ id: 'a' }), now)).toEqual([]);
  });
});

describe('lateAt', () => {
  const at = '2026-01-05T00:00:00.000Z';
  const lateAt = (...progress: MilestoneProgress[]) =>
    lateAndRiskTimes(milestones, described(...progress), at).lateAt;

  it.each<[what: string, progress: MilestoneProgress[], expected: string]>([
    ['one milestone is expected', [{ id: 'c', expectedBy: future }], '2026-01-11T00:00:00.000Z'],
    [
      'several milestones are expected',
      [
        { id: 'c', expectedBy: future },
        { id: 'd', expectedBy: past },
      ],
      '2026-01-09T00:00:00.000Z',
    ],
    [
      'the time has a time zone offset',
      [{ id: 'a', expectedBy: '2026-01-09T01:00:00+01:00' }],
      '2026-01-09T00:00:00.000Z',
    ],
    [
      'the model reports a late milestone with its expected time',
      [{ id: 'a', late: true, expectedBy: '2026-01-04T00:00:00Z' }],
      '2026-01-04T00:00:00.000Z',
    ],
  ])('returns the earliest expected time if %s', (_, progress, expected) => {
    expect(lateAt(...progress)).toBe(expected);
  });

  it.each<[what: string, progress: MilestoneProgress[]]>([
    ['nothing is expected', [{ id: 'a' }]],
    ['the expected milestone is reached', [{ id: 'a', at: past, expectedBy: past }]],
    [
      'the expected milestone is skipped',
      [
        { id: 'b', expectedBy: past },
        { id: 'c', at: past },
      ],
    ],
  ])('returns null if %s', (_, progress) => {
    expect(lateAt(...progress)).toBeNull();
  });

  it('returns the given time if the model reports a milestone as late without an expected time', () => {
    expect(lateAt({ id: 'a', late: true })).toBe(at);
  });

  it('returns null if the process is done', () => {
    const description = { ...described({ id: 'a', expectedBy: past }), done: true };
    expect(lateAndRiskTimes(milestones, description, at).lateAt).toBeNull();
  });

  it('returns the last millisecond in which no milestone is late', () => {
    const description = described({ id: 'a', expectedBy: future }, { id: 'd', expectedBy: future });
    const from = Date.parse(lateAndRiskTimes(milestones, description, at).lateAt!);
    const lateAfter = (moment: number) =>
      milestoneViews(milestones, description, moment).some(({ state }) => state === 'late');
    expect([lateAfter(from), lateAfter(from + 1)]).toEqual([false, true]);
  });
});

describe('riskAt', () => {
  const at = '2026-01-05T00:00:00.000Z';
  const first = '2026-01-08T00:00:00.000Z';
  const second = '2026-01-12T00:00:00.000Z';
  const riskAt = (...progress: MilestoneProgress[]) =>
    lateAndRiskTimes(milestones, described(...progress), at).riskAt;

  it.each<[what: string, progress: MilestoneProgress[], expected: string]>([
    ['a milestone will be at risk', [{ id: 'a', atRiskAt: first, expectedBy: second }], first],
    [
      'two milestones will be at risk',
      [
        { id: 'a', atRiskAt: second },
        { id: 'c', atRiskAt: first },
      ],
      first,
    ],
  ])(
    'returns the earliest time from which a milestone is at risk if %s',
    (_, progress, expected) => {
      expect(riskAt(...progress)).toBe(expected);
    },
  );

  it('returns the given time if the model reports a milestone as at risk', () => {
    expect(riskAt({ id: 'a', atRisk: true })).toBe(at);
  });

  it.each<[what: string, progress: MilestoneProgress[]]>([
    ['no milestone will be at risk', [{ id: 'a', expectedBy: future }]],
    [
      'another milestone becomes late earlier',
      [
        { id: 'a', expectedBy: first },
        { id: 'c', atRiskAt: second },
      ],
    ],
    ['the milestone is reached', [{ id: 'a', at: first, atRiskAt: first }]],
    ['the milestone is late', [{ id: 'a', atRiskAt: first, late: true }]],
    [
      'the milestone is skipped',
      [
        { id: 'b', atRiskAt: first },
        { id: 'c', at: first },
      ],
    ],
  ])('returns null if %s', (_, progress) => {
    expect(riskAt(...progress)).toBeNull();
  });
});

describe('progressOf', () => {
  const reached = (...ids: string[]) => described(...ids.map((id) => ({ id, at: past })));

  it.each<[what: string, description: Description, expected: number | null]>([
    ['no milestone is reached', reached(), 0],
    ['one of three required milestones is reached', reached('a'), 0.33],
    ['an optional milestone is reached', reached('a', 'b'), 0.5],
    ['two of three required milestones are reached', reached('a', 'c'), 0.66],
    ['all milestones are reached', reached('a', 'b', 'c', 'd'), 1],
    ['a milestone is only expected', described({ id: 'a', expectedBy: past }), 0],
    ['the model returns a progress', { status: 'x', progress: 0.29 }, 0.29],
    ['the model returns more than two decimal places', { status: 'x', progress: 0.999 }, 0.99],
    ['the model returns 0', { ...reached('a', 'c', 'd'), progress: 0 }, 0],
  ])(
    "returns the model's progress or, by default, the share of reached milestones: %s",
    (_, description, expected) => {
      expect(progressOf(milestones, description)).toBe(expected);
    },
  );

  it("preserves the model's progress to the hundredth", () => {
    for (let cents = 0; cents <= 100; cents++)
      expect(progressOf([], { status: 'x', progress: cents / 100 })).toBe(cents / 100);
  });

  it('returns null if there are no required milestones', () => {
    expect(progressOf([], { status: 'x' })).toBeNull();
    expect(progressOf([{ id: 'b', label: 'B', optional: true }], { status: 'x' })).toBeNull();
  });
});
