import { eventsOf, eventsPerInstance, type Work, type WorkEvent } from '../../support/work.ts';
import { inLanes } from '../lanes.ts';
import type { Mode } from '../side.ts';
import type { Ingress } from './restate-ingress.ts';

/** How many sends may be under way at once: with more, a send costs more and none is faster. */
export const lanes = 128;

/** A call that Restate is asked to make. */
interface Call {
  readonly transactionid: string;
  readonly handler: 'apply' | 'applyAll';
  readonly body: unknown;
  /** Of these calls, only one with the same key is ever made. */
  readonly key: string;
}

/** Sends all of a work. */
export async function putCalls(ingress: Ingress, work: Work, mode: Mode): Promise<void> {
  const events = eventsOf(work);
  const calls = mode === 'each' ? events.map(callOf) : folded(events);
  const send = (call: Call) => sendCall(ingress, call);
  if (work.order !== 'hot') return inLanes(lanes, calls, send);
  // In turn, each would wait for the disk: only those that have to be first and last keep theirs.
  const first = eventsPerInstance;
  for (const call of calls.slice(0, first)) await send(call);
  const loose = calls.slice(first, -1).map((call) => ({ transactionid: call.key, call }));
  await inLanes(lanes, loose, ({ call }) => send(call));
  for (const call of calls.slice(first).slice(-1)) await send(call);
}

/** The call for a single event. */
export const callOf = (event: WorkEvent): Call => ({
  transactionid: event.transactionid,
  handler: 'apply',
  body: event,
  key: event.id,
});

const folded = (events: readonly WorkEvent[]): Call[] =>
  Array.from({ length: events.length / eventsPerInstance }, (_, i) => {
    const five = events.slice(i * eventsPerInstance, (i + 1) * eventsPerInstance);
    const { transactionid, id } = five[0]!;
    return { transactionid, handler: 'applyAll', body: five, key: id };
  });

/** Has Restate take a call on, which it does durably. */
export async function sendCall(ingress: Ingress, call: Call): Promise<void> {
  const { transactionid, handler, body, key } = call;
  const path = `/activation/${transactionid}/${handler}/send`;
  const { status, body: answer } = await ingress.post(path, body, key);
  if (status !== 202) throw new Error(`Restate answered ${status}: ${answer.toString()}`);
}
