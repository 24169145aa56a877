import { describe, expect, it } from 'vitest';
import { customerStatusOf } from '../../../src/api/customer-pages/customer-status-of.ts';
import type { Head } from '../../../src/core/history/commit.ts';
import type { Description } from '../../../src/core/model/description.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const [yesterday, tomorrow] = ['2026-11-23T12:00:00Z', '2026-11-25T12:00:00Z'] as const;

const statusOf = (description: Partial<Description>) =>
  customerStatusOf(
    {
      key: { model: 'counter', transaction: 'T1' },
      commit: {
        description: { status: 'Low', ...description },
        at: '2026-11-24T11:00:00Z',
        startedAt: yesterday,
        statusSince: yesterday,
        progress: 0.5,
      } as Head,
      entry: registryEntry('counter', {
        milestones: [
          { id: 'paid', label: 'Paid' },
          { id: 'sent', label: 'Sent' },
          { id: 'rated', label: 'Rated' },
        ],
        labels: { de: { Paid: 'Bezahlt' } },
      }),
      stepDurations: new StepDurations(),
    },
    'de',
    now,
  );

describe('the customer status', () => {
  it('contains the reference from the description of the instance, or null', () => {
    expect(statusOf({ reference: 'A-1042' }).reference).toBe('A-1042');
    expect(statusOf({}).reference).toBeNull();
  });

  it('does not reveal that a milestone is at risk', () => {
    const { milestones } = statusOf({
      milestones: [
        { id: 'paid', at: yesterday },
        { id: 'sent', expectedBy: tomorrow, atRiskAt: yesterday },
      ],
    });
    expect(milestones).toEqual([
      { label: 'Bezahlt', state: 'reached', at: yesterday, expectedBy: null, likelyBy: null },
      { label: 'Sent', state: 'current', at: null, expectedBy: tomorrow, likelyBy: null },
      { label: 'Rated', state: 'pending', at: null, expectedBy: null, likelyBy: null },
    ]);
  });

  it('has one current milestone if several milestones are at risk, and none if an earlier milestone is late', () => {
    const atRisk = { expectedBy: tomorrow, atRiskAt: yesterday };
    const statesOf = (milestones: Description['milestones']) =>
      statusOf({ milestones: milestones! }).milestones.map(({ state }) => state);
    expect(
      statesOf([
        { id: 'paid', ...atRisk },
        { id: 'sent', ...atRisk },
      ]),
    ).toEqual(['current', 'pending', 'pending']);
    const late = { id: 'paid', expectedBy: yesterday };
    expect(statesOf([late, { id: 'sent', ...atRisk }])).toEqual(['late', 'pending', 'pending']);
  });

  it('contains the deadline of a late milestone, but not of a skipped milestone', () => {
    const milestones = [{ id: 'sent', expectedBy: yesterday }];
    expect(statusOf({ milestones }).milestones[1]).toMatchObject({
      state: 'late',
      expectedBy: yesterday,
    });
    expect(statusOf({ milestones, done: true }).milestones[1]).toMatchObject({
      state: 'skipped',
      expectedBy: null,
    });
  });
});
