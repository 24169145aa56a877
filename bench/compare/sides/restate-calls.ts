import { eventsOf, eventsPerInstance, type Work, type WorkEvent } from '../../support/work.ts';
import { inLanes } from '../lanes.ts';
import type { Mode } from '../side.ts';
import type { Ingress } from './restate-ingress.ts';

/** The maximum number of concurrent sends. More concurrent sends are more expensive but not faster. */
export const lanes = 128;

interface Call {
  readonly transactionid: string;
  readonly handler: 'apply' | 'applyAll';
  readonly body: unknown;
  /** The idempotency key. Restate runs only one call per key. */
  readonly key: string;
}

/** Sends all events of a workload. */
export async function putCalls(ingress: Ingress, work: Work, mode: Mode): Promise<void> {
  const events = eventsOf(work);
  const calls = mode === 'each' ? events.map(callOf) : folded(events);
  const send = (call: Call) => sendCall(ingress, call);
  if (work.order !== 'hot') return inLanes(lanes, calls, send);
  // Each sequential send waits for the disk, so only the first events and the last event are sent one at a time.
  const first = eventsPerInstance;
  for (const call of calls.slice(0, first)) await send(call);
  const loose = calls.slice(first, -1).map((call) => ({ transactionid: call.key, call }));
  await inLanes(lanes, loose, ({ call }) => send(call));
  for (const call of calls.slice(first).slice(-1)) await send(call);
}

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

/** Sends a call and resolves when Restate has stored it durably. */
export async function sendCall(ingress: Ingress, call: Call): Promise<void> {
  const { transactionid, handler, body, key } = call;
  const path = `/activation/${transactionid}/${handler}/send`;
  const { status, body: answer } = await ingress.post(path, body, key);
  if (status !== 202) throw new Error(`Restate returned status ${status}: ${answer.toString()}`);
}
