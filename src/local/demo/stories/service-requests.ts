import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, hour, logNormal, minute, type Period, second } from '../period.ts';

/** The steps of a request: the system that reports each, and how long it takes after the step before. */
const steps = [
  { milestone: 'verified', source: 'identity', median: 40 * minute, spread: 1 },
  { milestone: 'scheduled', source: 'planning', median: 5 * hour, spread: 0.8 },
  { milestone: 'fulfilled', source: 'field-service', median: 1.5 * day, spread: 0.5 },
  { milestone: 'closed', source: 'billing', median: 3 * hour, spread: 0.9 },
];

const reasons = ['moved to another address', 'found a cheaper offer', 'ordered by mistake'];

/** Customer service requests. Some are canceled, some are forgotten by a system, some are reported in another order. */
export function serviceRequests(chance: Chance, period: Period): DemoEvent[][] {
  return arrivals(chance, period, 45, 90 * second).map((start, index) =>
    request(chance, `SR-${20_000 + index}`, start),
  );
}

function request(chance: Chance, transaction: string, start: number): DemoEvent[] {
  const about = { model: 'service-request', transaction };
  const reached = (source: string, at: number, milestone: string): DemoEvent => ({
    ...about,
    source,
    type: 'milestone.reached',
    at,
    data: { milestone },
  });
  const events = [reached('crm', start, 'received')];
  let at = start;
  for (const { milestone, source, median, spread } of steps) {
    const before = at;
    at += logNormal(chance, median, spread);
    if (chance.happens(0.012)) {
      const canceled = before + (at - before) * chance.fraction();
      const data = { reason: chance.pick(reasons) };
      return [
        ...events,
        { ...about, source: 'crm', type: 'request.cancelled', at: canceled, data },
      ];
    }
    // A system has lost the request, so nothing happens any more.
    if (chance.happens(0.008)) return events;
    events.push(reached(source, at, milestone));
  }
  return events;
}
