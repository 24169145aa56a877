import type { ObservedLetter } from '../observe/observed.ts';
import type { PlannedEvent } from '../plan/put.ts';
import { type ExpectedEvents, eventKey, instanceKey } from './expected-events.ts';

/** The parked events of an instance, as the dead letters show them. */
export interface ParkedEvents {
  readonly letters: ObservedLetter[];
  /**
   * The `eventKey`s of the parked events. There are fewer keys than dead letters if an event was put more than once.
   */
  readonly keys: Set<string>;
}

/** Divides the dead letters into parked events, by `instanceKey`, and records that are not valid events. */
export function divideLetters(
  letters: readonly ObservedLetter[],
  expected: ExpectedEvents,
): { parked: ReadonlyMap<string, ParkedEvents>; invalid: readonly ObservedLetter[] } {
  const parked = new Map<string, ParkedEvents>();
  const invalid: ObservedLetter[] = [];
  for (const letter of letters) {
    const { modelId, transactionId } = letter;
    const instance = instanceKey(modelId ?? '', transactionId ?? '');
    if (!expected.has(instance)) {
      invalid.push(letter);
      continue;
    }
    const event = JSON.parse(Buffer.from(letter.raw, 'base64').toString()) as PlannedEvent;
    if (!parked.has(instance)) parked.set(instance, { letters: [], keys: new Set() });
    const queue = parked.get(instance)!;
    queue.letters.push(letter);
    queue.keys.add(eventKey(event));
  }
  return { parked, invalid };
}
