import { describe, expect, it } from 'vitest';
import {
  type CountedRow,
  changesBetween,
  countersOf,
  statusOfTotal,
  statusTotal,
} from '../../../src/core/counters/counter.ts';

const row = (more: Partial<CountedRow> = {}): CountedRow => ({
  model: 'orders',
  status: 'Open',
  startedAt: '2026-01-31T23:59:59.999Z',
  parked: 0,
  isLate: false,
  deadlines: [],
  keys: [],
  ...more,
});
const namesOf = (given: CountedRow) =>
  countersOf(given).map(({ group, name }) => `${group} ${name}`);

describe('the counters of a status row', () => {
  it('count the instance by its status, the day of its start, and its keys', () => {
    expect(namesOf(row({ keys: ['customer:a:b', 'region:eu'] }))).toEqual([
      'totals status:Open',
      'day 2026-01-31',
      'key:customer a:b',
      'key:region eu',
    ]);
  });

  it('count late instances and instances with parked events', () => {
    expect(namesOf(row({ parked: 3, isLate: true }))).toEqual([
      'totals status:Open',
      'day 2026-01-31',
      'totals parked',
      'totals late',
    ]);
  });

  it('count the results of deadlines', () => {
    const deadlines = ['2026-02-02/met/received', '2026-02-09/open/answered'];
    expect(namesOf(row({ deadlines }))).toEqual([
      'totals status:Open',
      'day 2026-01-31',
      ...deadlines.map((each) => `deadlines ${each}`),
    ]);
    expect(namesOf(row({ deadlines, startedAt: null }))).toEqual([]);
  });

  it('count an instance that has not started only among the instances with parked events', () => {
    expect(namesOf(row({ startedAt: null, parked: 1, isLate: true }))).toEqual(['totals parked']);
  });

  it('distinguish a status from another total with the same name', () => {
    expect(statusOfTotal(statusTotal('parked'))).toBe('parked');
    expect(statusOfTotal('parked')).toBeUndefined();
  });
});

describe('the changes between two status rows', () => {
  it('contain only counters that start or stop counting the instance', () => {
    const before = countersOf(row({ keys: ['customer:1'] }));
    const after = countersOf(row({ status: 'Paid', keys: ['customer:1'] }));
    expect(changesBetween(before, after)).toEqual([
      { model: 'orders', group: 'totals', name: 'status:Open', by: -1 },
      { model: 'orders', group: 'totals', name: 'status:Paid', by: 1 },
    ]);
    expect(changesBetween(after, after)).toEqual([]);
  });
});
