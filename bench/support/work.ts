/**
 * The orders in which a workload's events can be put. `rounds` puts the first event of every instance, then the second
 * event of every instance, and so on. `bursts` puts all events of an instance consecutively. `hot` puts the same number
 * of events, all of one instance.
 */
export const orders = ['rounds', 'bursts', 'hot'] as const;
export type Order = (typeof orders)[number];

/** The letter that stands for each order in the tables. */
export const letterOf: Readonly<Record<Order, string>> = { rounds: 'A', bursts: 'B', hot: 'C' };

/**
 * A workload. Each instance has one event per entry of `steps`, in sequence. In the order `hot`, one instance has all
 * events and repeats the last step.
 */
export interface Work {
  readonly order: Order;
  readonly instances: number;
  /** The prefix of transaction ids. A warm-up has a different prefix, so it uses other instances. */
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
/**
 * The events of an instance: an activation request, a wrong token twice, the right token, which activates the service,
 * and a use of the service.
 */
const steps = [
  { type: 'activation.requested', token: right },
  { type: 'entitlement.requested', token: wrong },
  { type: 'entitlement.requested', token: wrong },
  { type: 'entitlement.requested', token: right },
  { type: 'entitlement.requested', token: right },
] as const;
export const eventsPerInstance = steps.length;
const start = Date.UTC(2026, 0, 1);

/** Returns the number of events in a workload. */
export const size = ({ instances }: Work): number => instances * eventsPerInstance;

export const transactionOf = ({ prefix }: Pick<Work, 'prefix'>, index: number): string =>
  `${prefix}${index}`;

/** Creates the nth event of an instance, counted from 0. Events of an instance are one second apart. */
export function eventOf(transactionid: string, n: number): WorkEvent {
  // A hot instance repeats the last step.
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

/** Returns the events of a workload, in the order of the puts. */
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

/** Returns the number of events that a workload puts for each instance, by transaction id. */
export function finals(work: Work): Map<string, number> {
  if (work.order === 'hot') return new Map([[transactionOf(work, 0), size(work)]]);
  const all = Array.from({ length: work.instances }, (_, index) => transactionOf(work, index));
  return new Map(all.map((transaction) => [transaction, eventsPerInstance]));
}
