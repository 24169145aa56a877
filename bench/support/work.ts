/**
 * The three orders of the same events. `rounds`: all first events, then all second ones, and so on; `bursts`: all
 * events of an instance consecutively; `hot`: the same number of events, all of one instance.
 */
export const orders = ['rounds', 'bursts', 'hot'] as const;
export type Order = (typeof orders)[number];

/** The abbreviation of each order. */
export const letterOf: Readonly<Record<Order, string>> = { rounds: 'A', bursts: 'B', hot: 'C' };

/** The events of a work: for each instance one event per entry of `steps`, in that order. */
export interface Work {
  readonly order: Order;
  readonly instances: number;
  /** The prefix of transaction ids, so that a warm-up uses separate instances. */
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

/** The number of events in a work. */
export const size = ({ instances }: Work): number => instances * eventsPerInstance;

/** The transaction id of an instance. */
export const transactionOf = ({ prefix }: Pick<Work, 'prefix'>, index: number): string =>
  `${prefix}${index}`;

/** The nth event of an instance (from 0), one second after the previous one. */
export function eventOf(transactionid: string, n: number): WorkEvent {
  // A completed service is used repeatedly, so that a hot instance continues.
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

/** The events of a work in the order of puts. */
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

/** The instances of a work with their final number of events. */
export function finals(work: Work): Map<string, number> {
  if (work.order === 'hot') return new Map([[transactionOf(work, 0), size(work)]]);
  const all = Array.from({ length: work.instances }, (_, index) => transactionOf(work, index));
  return new Map(all.map((transaction) => [transaction, eventsPerInstance]));
}
