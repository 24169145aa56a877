import { describe, expect, it } from 'vitest';
import { changesStatusRow } from '../../../src/core/status/status-row.ts';
import { commitOf } from '../../support/data/commits.ts';

const key = { model: 'm', transaction: 'T1' };
const before = commitOf(key, 1);
const earlier = '2025-01-01T00:00:00.000Z';

describe('a status row', () => {
  it('is not written if a commit changes only the version, the state and the record time', () => {
    expect(changesStatusRow(before, commitOf(key, 2))).toBe(false);
  });

  it('is written if a late event moves the start', () => {
    expect(changesStatusRow(before, commitOf(key, 2, { startedAt: earlier }))).toBe(true);
  });

  it('is written if a commit leaves a status and returns to it', () => {
    expect(changesStatusRow(before, commitOf(key, 2, { statusSince: earlier }))).toBe(true);
  });
});
