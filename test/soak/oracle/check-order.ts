import { isDeepStrictEqual } from 'node:util';
import type { ObservedEntry } from '../observe/observed.ts';
import type { PlannedEvent } from '../plan/put.ts';
import { type ExpectedEvent, eventKey } from './expected-events.ts';

/**
 * Checks the events of producers in a history. The history must contain each acknowledged event exactly once, each
 * unacknowledged event at most once, and no other event from a producer. The events whose first request was
 * acknowledged must be in the order of these requests. Parked events are not in the history yet.
 */
export function* checkOrder(
  entries: readonly ObservedEntry[],
  expected: ReadonlyMap<string, ExpectedEvent>,
  parked: ReadonlySet<string>,
): Generator<string> {
  const found = new Set<string>();
  for (const { event } of entries) {
    const key = eventKey(event);
    if (found.has(key)) yield `${key} is in the history twice`;
    found.add(key);
    const known = expected.get(key);
    if (!known && !event.source.startsWith('milepost:')) yield `${key} was never sent`;
    if (known) yield* checkContent(event, known);
  }
  for (const [key, { isRequired }] of expected)
    if (isRequired && !found.has(key) && !parked.has(key))
      yield `${key} was acknowledged, but is missing`;
  const hasPlace = (key: string) => expected.get(key)?.isFirstAcknowledged && found.has(key);
  const order = [...expected.keys()].filter(hasPlace);
  const actual = entries.map(({ event }) => eventKey(event)).filter(hasPlace);
  const at = actual.findIndex((key, n) => key !== order[n]);
  if (at >= 0 && actual.length === order.length)
    yield `the order is wrong: ${order[at]} was sent before ${actual[at]}`;
}

function* checkContent(
  shown: ObservedEntry['event'],
  { event, isFirstAcknowledged, variants }: ExpectedEvent,
): Generator<string> {
  const possible = isFirstAcknowledged ? [event] : variants;
  const isSame = (sent: PlannedEvent) =>
    sent.type === shown.type &&
    isDeepStrictEqual(sent.data, shown.data) &&
    (sent.time === undefined || Date.parse(sent.time) === Date.parse(shown.time));
  if (!possible.some(isSame))
    yield `${eventKey(event)} differs from the event that was sent: ${JSON.stringify(shown)} instead of ${JSON.stringify(event)}`;
}
