import { describe, expect, it } from 'vitest';
import { checkBudget } from '../../bench/budget/check-budget.ts';
import { consumed } from '../../bench/budget/consumed.ts';
import { recordings } from '../../bench/budget/recorded.ts';

describe('the budget of requests, write units, and bundle sizes', () => {
  it('keeps every count within 5% of its recorded value', async () => {
    expect(checkBudget(await consumed(), recordings)).toEqual([]);
  }, 60_000);

  it('has a date and a reason for every recording', () => {
    for (const { date, reason } of recordings) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(reason).toMatch(/\w+ \w+/);
    }
  });
});

describe('comparing counts with recordings', () => {
  const recorded = [{ date: '2026-01-01', reason: 'first values', counts: { units: 100 } }];

  it('accepts a count that grew by 5%', () => {
    expect(checkBudget({ units: 105 }, recorded)).toEqual([]);
  });

  it('reports growth of more than 5%, with the remedy', () => {
    expect(checkBudget({ units: 106 }, recorded)).toEqual([
      'units: 106 is 6.0% above the recorded 100; reduce it, or append the new value and the reason to bench/budget/recorded.ts',
    ]);
  });

  it('reports an improvement that is not recorded', () => {
    expect(checkBudget({ units: 90 }, recorded)).toEqual([
      'units: 90 is 10.0% below the recorded 100; to keep the improvement, append the new value',
    ]);
  });

  it('uses the latest recorded value', () => {
    const later = { date: '2026-02-01', reason: 'a new index', counts: { units: 200 } };
    expect(checkBudget({ units: 200 }, [...recorded, later])).toEqual([]);
  });

  it('reports a count without a recorded value', () => {
    expect(checkBudget({ units: 100, requests: 4 }, recorded)).toEqual([
      'requests: 4 has no recorded value; record it',
    ]);
  });

  it('reports a recorded count that is missing, until null is recorded', () => {
    expect(checkBudget({}, recorded)).toEqual([
      'units: recorded, but not counted; record null if it no longer exists',
    ]);
    const gone = { date: '2026-02-01', reason: 'the index is gone', counts: { units: null } };
    expect(checkBudget({}, [...recorded, gone])).toEqual([]);
  });
});
