import type { StreamRecord } from '../../src/local/event-source/ports.ts';

/** In which order the events come; see `eventsOf`. */
export type Order = 'A' | 'B' | 'C';

/** An event as it goes to the stream: a CloudEvent of the model `activation`. */
export interface WorkEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly modelid: 'activation';
  readonly transactionid: string;
  readonly data: { readonly service: string; readonly token: string };
}

const rightToken = '4T8KQZ';
const wrongToken = 'WRONG0';

/** What becomes of an instance: it is created, fails, fails, is activated and completes. */
export const steps = [
  { type: 'activation.requested', token: rightToken },
  { type: 'entitlement.requested', token: wrongToken },
  { type: 'entitlement.requested', token: wrongToken },
  { type: 'entitlement.requested', token: rightToken },
  { type: 'entitlement.requested', token: rightToken },
] as const;

/**
 * The events of a work, in the order in which they are put:
 *
 * - A, rounds: the first events of all instances, then all second ones, ...;
 * - B, bursts: the five of an instance one after the other;
 * - C, hot: as many events, all of one instance: the five over and over.
 */
export function* eventsOf(order: Order, instances: number): Generator<WorkEvent> {
  if (order === 'A')
    for (let round = 0; round < steps.length; round++)
      for (let each = 0; each < instances; each++) yield eventOf(nameOf(each), round);
  else if (order === 'B')
    for (let each = 0; each < instances; each++)
      for (let round = 0; round < steps.length; round++) yield eventOf(nameOf(each), round);
  else
    for (let each = 0; each < steps.length * instances; each++)
      yield eventOf('ATV-HOT-000001', each);
}

/** The event of an instance with this number, from 0 on. */
export function eventOf(transactionid: string, number: number): WorkEvent {
  const { type, token } = steps[number % steps.length]!;
  return {
    specversion: '1.0',
    id: `${transactionid}-${number + 1}`,
    source: 'tv',
    type,
    modelid: 'activation',
    transactionid,
    data: { service: 'sports', token },
  };
}

/** The name of an instance. */
export const nameOf = (each: number) => `ATV-${String(each).padStart(6, '0')}`;

/** When the first event is put, in milliseconds since 1970. */
const start = Date.UTC(2026, 10, 21, 12);

/**
 * The records of events on one shard, which takes as many as it can: 1,000 a second.
 *
 * @param first how many records came before these.
 */
export function recordsOf(events: Iterable<WorkEvent>, first = 0): StreamRecord[] {
  return [...events].map((event, index) => ({
    sequenceNumber: `4966${String(first + index).padStart(52, '0')}`,
    partitionKey: event.transactionid,
    data: Buffer.from(JSON.stringify(event)),
    arrivedAt: start + first + index,
  }));
}
