import { describe, expect, it } from 'vitest';
import { commitMetadata } from '../../../src/core/history/next-commit.ts';
import type { MilestoneProgress } from '../../../src/core/model/description.ts';
import { changesStatusRow, statusRow } from '../../../src/core/status/status-row.ts';
import { commitOf } from '../../support/data/commits.ts';

const key = { model: 'm', transaction: 'T1' };
const before = commitOf(key, 1);
const earlier = '2025-01-01T00:00:00.000Z';

describe('a status row', () => {
  it('is not written if a commit changes only the version, the state, and the record time', () => {
    expect(changesStatusRow(before, commitOf(key, 2))).toBe(false);
  });

  it('is written if a late event moves the start', () => {
    expect(changesStatusRow(before, commitOf(key, 2, { startedAt: earlier }))).toBe(true);
  });

  it('is written if a commit leaves a status and returns to it', () => {
    expect(changesStatusRow(before, commitOf(key, 2, { statusSince: earlier }))).toBe(true);
  });
});

describe('the status row of an instance with deadlines', () => {
  const milestones = [
    { id: 'wrapped', label: 'Wrapped', optional: true },
    { id: 'paid', label: 'Paid' },
    { id: 'sent', label: 'Sent' },
  ];
  const [due, warn] = ['2026-01-03T12:00:00.000Z', '2026-01-02T12:00:00.000Z'];
  const rowOf = (...progress: MilestoneProgress[]) => {
    const description = { status: 'Open', milestones: progress };
    const { at } = before;
    const metadata = commitMetadata({ milestones, version: 1 }, description, at);
    return statusRow(commitOf(key, 1, { ...metadata, description }));
  };

  it('names the first milestone that will be late and the first that will be at risk', () => {
    expect(rowOf({ id: 'wrapped', expectedBy: due, atRiskAt: warn })).toMatchObject({
      lateAt: due,
      lateMilestone: 'wrapped',
      riskAt: warn,
      riskMilestone: 'wrapped',
    });
  });

  it('does not name a skipped milestone that was expected at the same time', () => {
    const row = rowOf(
      { id: 'wrapped', expectedBy: due, atRiskAt: warn },
      { id: 'paid', at: warn },
      { id: 'sent', expectedBy: due, atRiskAt: warn },
    );
    expect(row).toMatchObject({ lateMilestone: 'sent', riskMilestone: 'sent' });
  });

  it('names a milestone at risk whose deadline is paused', () => {
    const row = rowOf({ id: 'sent', atRiskAt: warn, paused: true });
    expect(row).toMatchObject({ lateMilestone: null, riskAt: warn, riskMilestone: 'sent' });
  });

  it('names the late milestone even if the commit contains no results of deadlines', () => {
    const description = { status: 'Open', milestones: [{ id: 'sent', expectedBy: due }] };
    const row = statusRow(commitOf(key, 1, { lateAt: due, description }));
    expect(row.lateMilestone).toBe('sent');
  });
});
