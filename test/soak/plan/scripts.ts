import type { Chance } from '../../../src/common/chance.ts';
import type { PlannedEvent } from './put.ts';

/** An event without the attributes that every event of an instance has. */
export type Draft = Pick<PlannedEvent, 'type' | 'data' | 'time'>;

/** Creates the events of an instance, in order. */
export type Script = (chance: Chance, facts: ScriptFacts) => Draft[];

export interface ScriptFacts {
  readonly customers: readonly string[];
  /**
   * The number of repairs of the model `fragile`. A faulty event names the repair after which the model accepts it.
   */
  readonly waves: number;
}

const times = (count: number, draft: () => Draft): Draft[] => Array.from({ length: count }, draft);

const tickets: Script = (chance, { customers }) => {
  const one = (): Draft => {
    const who = chance.pick(customers);
    const qty = chance.whole(1, 4);
    const roll = chance.whole(0, 99);
    if (roll < 35) return { type: 'tickets.purchased', data: { who, qty } };
    // A hold with a time in the past expires immediately, and any other hold after 30 seconds.
    if (roll < 70)
      return { type: 'tickets.reserved', data: { who, qty }, ...sometimesPast(chance) };
    if (roll < 80) return { type: 'payment.authorized', data: { who } };
    if (roll < 88) return { type: 'payment.declined', data: { who } };
    if (roll < 92) return { type: 'event.created', data: { available: 1_000 } };
    if (roll < 96)
      return { type: 'tickets.purchased', data: { who, qty: chance.pick([0, -1, 'x', 1.5]) } };
    return { type: 'tickets.stolen', data: {} };
  };
  const created = { type: 'event.created', data: { available: chance.whole(5, 40) } };
  return [...times(chance.pick([0, 0, 1]), one), created, ...times(chance.whole(8, 30), one)];
};

const session: Script = (chance) => [
  ...times(chance.pick([0, 0, 1]), () => ({ type: 'session.updated', data: { set: {} } })),
  { type: 'session.started', data: { token: `T${chance.whole(1, 1e9)}`, data: { lang: 'en' } } },
  ...times(chance.whole(0, 6), () => ({
    type: 'session.updated',
    data: { set: { [chance.pick(['cart', 'lang', 'page'])]: chance.whole(0, 1e6) } },
  })),
  ...times(chance.pick([0, 1]), () => ({ type: 'session.ended', data: {} })),
];

const activation: Script = (chance) => {
  const one = (): Draft => ({
    type: chance.pick(['activation.requested', ...Array<string>(4).fill('entitlement.requested')]),
    data: {
      service: chance.pick(['A', 'B', 'é🚲']),
      token: chance.pick(['right', 'right', 'wrong']),
    },
    ...sometimesPast(chance),
  });
  const created = { type: 'account.created', data: {} };
  return [...times(chance.pick([0, 1, 2]), () => created), ...times(chance.whole(4, 16), one)];
};

const job: Script = (chance) => {
  const items = Array.from({ length: chance.whole(0, 60) }, () => chance.whole(-1_000, 1_000));
  const chunks = chance.pick([1, 3, 10, 25]);
  const map = chance.pick(['sum', 'min', 'max', 'count']);
  return times(chance.pick([1, 1, 2]), () => ({
    type: 'job.submitted',
    data: { items, chunks, map },
  }));
};

const fragile: Script = (chance, { waves }) => {
  const poisoned = chance.happens(0.4);
  return times(chance.whole(5, 40), () => {
    const n = chance.whole(0, 999);
    if (poisoned && chance.happens(0.08)) {
      const data = {
        n,
        until: chance.whole(1, waves),
        how: chance.pick(['throws', 'throws', 'exits']),
      };
      return { type: 'failed', data };
    }
    const filler = chance.happens(0.01) ? { filler: 'é'.repeat(chance.whole(1_000, 130_000)) } : {};
    return { type: 'counted', data: chance.happens(0.03) ? { n: 'x' } : { n, ...filler } };
  });
};

/** The scripts by model, each with the number of its instances per minute. */
export const scripts: Readonly<
  Record<string, { readonly script: Script; readonly perMinute: number }>
> = {
  tickets: { script: tickets, perMinute: 16 },
  session: { script: session, perMinute: 40 },
  activation: { script: activation, perMinute: 16 },
  'map-reduce': { script: job, perMinute: 6 },
  fragile: { script: fragile, perMinute: 20 },
};

function sometimesPast(chance: Chance): { time?: string } {
  return chance.happens(0.3) ? { time: `2026-01-01T00:00:${chance.whole(10, 59)}.5Z` } : {};
}
