import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inLanes } from '../../bench/compare/lanes.ts';
import { readOptions } from '../../bench/compare/options.ts';
import { reduce, shows, stateAfter } from '../../bench/compare/reducer.ts';
import { median, percentile } from '../../bench/support/statistics.ts';
import { figure, table } from '../../bench/support/table.ts';
import { eventOf, eventsOf, finals, orders, type Work } from '../../bench/support/work.ts';

const work = (order: Work['order'], instances: number): Work => ({
  order,
  instances,
  prefix: 'T-',
});
const ids = (order: Work['order']) => eventsOf(work(order, 2)).map(({ id }) => id);

describe('the workload of the benchmark', () => {
  it('in rounds sends the first events of all instances before any second event', () => {
    expect(ids('rounds').slice(0, 5)).toEqual(['T-0-0', 'T-1-0', 'T-0-1', 'T-1-1', 'T-0-2']);
  });

  it('in bursts sends the five events of an instance consecutively', () => {
    expect(ids('bursts').slice(3, 7)).toEqual(['T-0-3', 'T-0-4', 'T-1-0', 'T-1-1']);
  });

  it('with a hot instance sends the same number of events to that instance alone', () => {
    expect(new Set(eventsOf(work('hot', 40)).map((event) => event.transactionid)).size).toBe(1);
    expect([...finals(work('hot', 40))]).toEqual([['T-0', 200]]);
  });

  it.each(orders)(
    'with the order "%s" has no rejected event and ends in the expected state',
    (order) => {
      const accounts = new Map<string, ReturnType<typeof reduce>>();
      for (const event of eventsOf(work(order, 3)))
        accounts.set(event.transactionid, reduce(accounts.get(event.transactionid), event));
      const expected = Array.from(finals(work(order, 3)), ([transaction, count]) => [
        transaction,
        stateAfter(transaction, count),
      ]);
      expect([...accounts]).toEqual(expected);
    },
  );
});

describe('a state in the benchmark', () => {
  it('follows the rules of the shipped model for created, failed, activated, and used services', () => {
    const statuses = [1, 2, 3, 4, 5].map((count) => stateAfter('T', count).app.NBCSports);
    expect(statuses).toMatchObject([
      { status: 'Waiting', failed: 0 },
      { status: 'Waiting', failed: 1 },
      { status: 'Waiting', failed: 2 },
      { status: 'Active', failed: 0 },
      { status: 'Active', failed: 0, last_logon_ts: Date.UTC(2026, 0, 1) / 1000 + 4 },
    ]);
  });

  it('reflects an event and all earlier events, but no later events', () => {
    const account = stateAfter('T', 3);
    expect([0, 1, 2, 3].map((n) => shows(account, eventOf('T', n)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(shows(undefined, eventOf('T', 0))).toBe(false);
  });
});

describe('the lanes of the benchmark', () => {
  it('process the events of an instance in order and other instances in parallel', async () => {
    const items = eventsOf(work('rounds', 6));
    const handled: string[] = [];
    let together = 0;
    let most = 0;
    await inLanes(3, items, async ({ id }) => {
      most = Math.max(most, ++together);
      await pause(1);
      handled.push(id);
      together--;
    });
    expect(most).toBe(3);
    expect(handled.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
    const ofOne = handled.filter((id) => id.startsWith('T-4-'));
    expect(ofOne).toEqual(['T-4-0', 'T-4-1', 'T-4-2', 'T-4-3', 'T-4-4']);
  });
});

describe('the figures of the benchmark', () => {
  it('are the medians of several runs', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
  });

  it('contain only observed values as percentiles', () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
  });

  it('are formatted with three significant digits', () => {
    expect([12_345.6, 45.678, 0.034567, Number.NaN].map(figure)).toEqual([
      '12,346',
      '45.7',
      '0.0346',
      '',
    ]);
  });

  it('are aligned in a table', () => {
    const lines = table(['side', 'events/s'], [['redis', '14,500']]).split('\n');
    expect(lines).toEqual(['| side  | events/s |', '| ----- | -------: |', '| redis |   14,500 |']);
  });
});

describe('the command-line options of the benchmark', () => {
  const read = (...args: string[]) =>
    readOptions(args, { sides: ['milepost', 'redis'], sections: ['cost'] });

  it('select all measurements by default', () => {
    expect(read()).toMatchObject({ instances: 10_000, runs: 3, rate: 500 });
    expect(read().sides.size + read().works.size).toBe(0);
  });

  it('can select a smaller workload', () => {
    const { instances, sides, works } = read(
      '--instances',
      '500',
      '--side',
      'redis',
      '--work',
      'hot',
    );
    expect([instances, [...sides], [...works]]).toEqual([500, ['redis'], ['hot']]);
  });

  it.each([
    [['--instances', '0'], '--instances must be a positive integer; got 0'],
    [['--side', 'mongo'], '--side must be one of milepost, redis; got mongo'],
  ])('are rejected if they are %j', (args, reason) => {
    expect(() => read(...args)).toThrow(reason);
  });
});
