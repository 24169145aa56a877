import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, hour, minute, type Period } from '../period.ts';

/** Generates map-reduce jobs: a report every night, and a few requested surveys. */
export function jobs(chance: Chance, period: Period): DemoEvent[][] {
  const nights: number[] = [];
  for (let at = Math.ceil(period.start / day) * day + 2 * hour; at < period.now; at += day)
    nights.push(at);
  const requested = arrivals(chance, period, 0.5, 10 * minute);
  return [
    ...nights.map((at) => job(chance, `revenue-${new Date(at).toISOString().slice(0, 10)}`, at)),
    ...requested.map((at, index) => job(chance, `survey-${index + 1}`, at)),
  ];
}

function job(chance: Chance, transaction: string, at: number): DemoEvent[] {
  const items = Array.from({ length: chance.whole(20, 60) }, () => chance.whole(10, 500));
  const data = { items, chunks: chance.whole(3, 8), map: chance.pick(['sum', 'max', 'count']) };
  return [{ model: 'map-reduce', transaction, source: 'reports', type: 'job.submitted', at, data }];
}
