import type { ObservedHistory } from '../observe/observed.ts';
import type { PlannedEvent } from '../plan/put.ts';
import { type ExpectedEvent, eventKey } from './expected-events.ts';
import type { ParkedEvents } from './parked-events.ts';

/**
 * Checks that exactly these events of an instance are parked: the first event on which the model `fragile` still fails,
 * and all events that were sent after it.
 *
 * @param repaired the latest wave of repairs
 */
export function* checkParked(
  { instance, entries }: ObservedHistory,
  expected: ReadonlyMap<string, ExpectedEvent>,
  parked: ParkedEvents,
  repaired: number,
): Generator<string> {
  const { letters, keys } = parked;
  if (instance.parked !== letters.length)
    yield `${instance.parked} events are parked, but ${letters.length} have dead letters`;
  const faulty = [...expected.values()].filter(({ event }) => isFaulty(event, repaired));
  if (faulty.length === 0 && letters.length > 0)
    yield `${letters.length} events are parked although no event is faulty: ${letters[0]!.reason}`;
  // An unacknowledged faulty event may be anywhere in the queue, so the expected position of the other events is
  // unknown.
  if (faulty.some(({ isFirstAcknowledged }) => !isFirstAcknowledged)) return;
  const applied = new Set(entries.map(({ event }) => eventKey(event)));
  let isAfterFaulty = false;
  for (const [key, each] of expected) {
    if (!each.isFirstAcknowledged) continue;
    isAfterFaulty ||= faulty.includes(each);
    if (isAfterFaulty && applied.has(key))
      yield `${key} was applied, although it is faulty or follows a faulty event`;
    if (isAfterFaulty && !keys.has(key)) yield `${key} is not parked`;
  }
}

const isFaulty = ({ type, modelid, data }: PlannedEvent, repaired: number) =>
  modelid === 'fragile' && type === 'failed' && Number(data.until) > repaired;
