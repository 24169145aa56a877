/**
 * The three orders in which the same events come. `rounds`: all first events, then all second
 * ones, ...; `bursts`: the events of an instance one after the other; `hot`: as many events, all
 * of them on one instance.
 */
export const orders = ['rounds', 'bursts', 'hot'] as const;
export type Order = (typeof orders)[number];

/** What an order is called for short. */
export const letterOf: Readonly<Record<Order, string>> = { rounds: 'A', bursts: 'B', hot: 'C' };

/** What is put: as many events for each instance as `steps` has, in this order. */
export interface Work {
  readonly order: Order;
  readonly instances: number;
  /** What transaction ids begin with, so that a warm-up has instances of its own. */
  readonly prefix: string;
}

/** A CloudEvent for the shipped model `activation`. */
export interface WorkEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: 'activation.requested' | 'entitlement.requested';
  readonly modelid: 'activation';
  readonly transactionid: string;
  readonly time: string;
  readonly data: { readonly service: string; readonly token: string };
}

const right = 'MTOB1J';
const wrong = 'WRONG1';
/** Created, failed, failed, activated, completed. */
const steps = [
  { type: 'activation.requested', token: right },
  { type: 'entitlement.requested', token: wrong },
  { type: 'entitlement.requested', token: wrong },
  { type: 'entitlement.requested', token: right },
  { type: 'entitlement.requested', token: right },
] as const;
export const eventsPerInstance = steps.length;
const start = Date.UTC(2026, 0, 1);

/** How many events a work has. */
export const size = ({ instances }: Work): number => instances * eventsPerInstance;

/** The transaction id of an instance. */
export const transactionOf = ({ prefix }: Pick<Work, 'prefix'>, index: number): string =>
  `${prefix}${index}`;

/** An instance's event number `n` (from 0), a second after the one before it. */
export function eventOf(transactionid: string, n: number): WorkEvent {
  // Once completed, a service is used again and again: this is how a hot instance goes on.
  const { type, token } = steps[Math.min(n, eventsPerInstance - 1)]!;
  return {
    specversion: '1.0',
    id: `${transactionid}-${n}`,
    source: 'bench',
    type,
    modelid: 'activation',
    transactionid,
    time: new Date(start + n * 1000).toISOString(),
    data: { service: 'NBCSports', token },
  };
}

/** The events of a work, in the order in which they are put. */
export function eventsOf(work: Work): WorkEvent[] {
  return Array.from({ length: size(work) }, (_, position) => {
    const [instance, n] = placeOf(work, position);
    return eventOf(transactionOf(work, instance), n);
  });
}

function placeOf({ order, instances }: Work, position: number): [instance: number, n: number] {
  switch (order) {
    case 'rounds':
      return [position % instances, Math.floor(position / instances)];
    case 'bursts':
      return [Math.floor(position / eventsPerInstance), position % eventsPerInstance];
    case 'hot':
      return [0, position];
  }
}

/** The instances of a work with the number of events that each has got in the end. */
export function finals(work: Work): Map<string, number> {
  if (work.order === 'hot') return new Map([[transactionOf(work, 0), size(work)]]);
  const all = Array.from({ length: work.instances }, (_, index) => transactionOf(work, index));
  return new Map(all.map((transaction) => [transaction, eventsPerInstance]));
}
