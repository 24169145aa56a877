import type { Chance } from '../../common/chance.ts';
import type { DemoRecord } from './demo-record.ts';
import { arrivals, minute, type Period } from './period.ts';

/**
 * The kinds of invalid records that systems put on the stream by mistake. Each function returns the text of a record.
 */
const mistakes: readonly ((number: number, time: string) => string)[] = [
  (number) => `{"ticket":${number},"text":"printer is on fire"`,
  (number) => JSON.stringify({ orderNumber: `A-${number}`, state: 'PAID' }),
  (number, time) => JSON.stringify({ ...claim(number, time), modelid: 'claims' }),
  (number, time) => JSON.stringify({ ...claim(number, time), transactionid: undefined }),
  (number, time) => JSON.stringify({ ...claim(number, time), time: '23.11.2026 14:05' }),
  (number, time) => JSON.stringify({ ...claim(number, time), data: 'x'.repeat(270_000) }),
];

const claim = (number: number, time: string) => ({
  specversion: '1.0',
  id: `claim-${number}`,
  source: 'claims',
  type: 'milestone.reached',
  modelid: 'service-request',
  transactionid: `CL-${number}`,
  time,
  data: { milestone: 'received' },
});

/**
 * Generates records that become dead letters, mostly of one kind: two or three a week in the past, and one about every
 * ten minutes in the coming hour.
 */
export function mishaps(chance: Chance, period: Period): DemoRecord[] {
  return arrivals(chance, period, 0.5, 10 * minute).map((at, index) => {
    const number = 500 + index;
    const mistake = chance.happens(0.5) ? mistakes[2]! : chance.pick(mistakes);
    const text = mistake(number, new Date(at).toISOString());
    return { at, partitionKey: `CL-${number}`, text };
  });
}
