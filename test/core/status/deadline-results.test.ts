import { describe, expect, it } from 'vitest';
import type { Description, Milestone } from '../../../src/core/model/description.ts';
import {
  deadlineResults,
  parseDeadlineResult,
  weekOf,
} from '../../../src/core/status/deadline-results.ts';

const milestones: Milestone[] = [
  { id: 'received', label: 'Received' },
  { id: 'checked', label: 'Checked', optional: true },
  { id: 'answered', label: 'Answered' },
];
const results = (description: Omit<Description, 'status'>) =>
  deadlineResults(milestones, { status: 'Open', ...description });
const expectedBy = '2026-11-24T17:00:00.000Z';

describe('the results of deadlines', () => {
  it.each([
    ['met', '2026-11-24T16:59:59.999Z'],
    ['met', '2026-11-24T17:00:00.000Z'],
    ['breached', '2026-11-24T17:00:00.001Z'],
  ])('are %s for a milestone reached at %s', (outcome, at) => {
    const answered = { id: 'answered', expectedBy, at };
    expect(results({ milestones: [answered] })).toEqual([`2026-11-23/${outcome}/answered`]);
  });

  it('are open for a milestone that is not reached', () => {
    expect(results({ milestones: [{ id: 'answered', expectedBy }] })).toEqual([
      '2026-11-23/open/answered',
    ]);
  });

  it('belong to the week of the deadline, not to the week in which the milestone is reached', () => {
    const at = '2026-12-24T12:00:00.000Z';
    expect(results({ milestones: [{ id: 'answered', expectedBy, at }] })).toEqual([
      '2026-11-23/breached/answered',
    ]);
  });

  it.each([
    ['has no deadline', { milestones: [{ id: 'answered' }] }],
    ['is paused', { milestones: [{ id: 'answered', paused: true }] }],
    [
      'is not reached when the process ends',
      { done: true, milestones: [{ id: 'answered', expectedBy }] },
    ],
    [
      'is optional and skipped',
      {
        milestones: [
          { id: 'checked', expectedBy },
          { id: 'answered', at: expectedBy },
        ],
      },
    ],
  ])('omit a milestone that %s', (_, description) => {
    expect(results(description)).toEqual([]);
  });
});

describe('a week', () => {
  it.each([
    ['2026-11-22T23:59:59.999Z', '2026-11-16'],
    ['2026-11-23T00:00:00.000Z', '2026-11-23'],
    ['2026-11-29T23:59:59.999Z', '2026-11-23'],
    ['2027-01-01T12:00:00.000Z', '2026-12-28'],
  ])('begins on Monday at midnight in UTC: %s', (time, monday) => {
    expect(weekOf(Date.parse(time))).toBe(monday);
  });
});

describe('the text of a result', () => {
  it('can contain any milestone id', () => {
    expect(parseDeadlineResult('2026-11-23/met/a/b open/')).toEqual({
      week: '2026-11-23',
      outcome: 'met',
      milestone: 'a/b open/',
    });
  });
});
