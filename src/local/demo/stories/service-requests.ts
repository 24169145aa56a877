import type { Chance } from '../../../common/chance.ts';
import type { JsonObject } from '../../../core/json/json.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, hour, logNormal, minute, type Period, second } from '../period.ts';

/** The steps of a request, each with the system that reports it and the distribution of its duration. */
const steps = [
  { milestone: 'verified', source: 'identity', median: 40 * minute, spread: 1 },
  { milestone: 'scheduled', source: 'planning', median: 5 * hour, spread: 0.8 },
  { milestone: 'fulfilled', source: 'field-service', median: 1.5 * day, spread: 0.5 },
  { milestone: 'closed', source: 'billing', median: 3 * hour, spread: 0.9 },
];

const reached = 'milestone.reached';
const reasons = ['moved to another address', 'found a cheaper offer', 'ordered by mistake'];

/** Generates customer service requests. Some are canceled, some wait for documents, and a few are lost by a system. */
export function serviceRequests(chance: Chance, period: Period): DemoEvent[][] {
  return arrivals(chance, period, 45, 90 * second).map((start, index) =>
    request(chance, `SR-${20_000 + index}`, start),
  );
}

function request(chance: Chance, transaction: string, start: number): DemoEvent[] {
  const about = { model: 'service-request', transaction };
  const tier = chance.happens(0.2) ? 'gold' : 'standard';
  const event = (source: string, type: string, at: number, data: JsonObject): DemoEvent => ({
    ...about,
    source,
    type,
    at,
    data,
  });
  const events = [
    event('crm', reached, start, { milestone: 'received', tier, number: transaction }),
  ];
  let at = start;
  for (const { milestone, source, median, spread } of steps) {
    const before = at;
    at += logNormal(chance, tier === 'gold' ? median / 2 : median, spread);
    const between = () => before + (at - before) * chance.fraction();
    if (chance.happens(0.012)) {
      const reason = chance.pick(reasons);
      return [...events, event('crm', 'request.cancelled', between(), { reason })];
    }
    // A system has lost the request, so no more events follow.
    if (chance.happens(0.008)) return events;
    if (milestone === 'scheduled' && chance.happens(0.06)) {
      const asked = between();
      at += day;
      const answered = asked + logNormal(chance, 20 * hour, 0.6);
      events.push(event('planning', 'documents.requested', asked, {}));
      // Some customers never answer.
      if (chance.happens(0.1)) return events;
      events.push(event('crm', 'documents.received', answered, {}));
      at = Math.max(at, answered);
    }
    const promise = milestone === 'scheduled' && chance.happens(0.3);
    events.push(
      event(source, reached, at, {
        milestone,
        ...(promise && { promisedAt: new Date(at + 3 * day).toISOString() }),
      }),
    );
  }
  return events.toSorted((a, b) => a.at - b.at);
}
