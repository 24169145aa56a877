import type { DeadLetter } from '../../core/event/dead-letter.ts';
import type { TrackedEvent } from '../../core/event/event.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { mayContainSealed, unseal } from '../../core/personal-data/sealed.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { PositionedEvent } from '../protocol.ts';

/** Decodes as events are decoded: a byte order mark is no part of the text, and `JSON.parse` takes none. */
const utf8 = new TextDecoder();

/** Opens the data of parked events, which is sealed; each event fails alone if its key cannot be read. */
export function unsealEvents(
  keys: DataKeys,
  events: readonly PositionedEvent[],
): Promise<SettledResult<PositionedEvent>[]> {
  return Promise.all(
    events.map(async (positioned) => {
      const { event } = positioned;
      if (!mayContainSealed(JSON.stringify(event.data))) return { value: positioned };
      try {
        const data = unseal(event.data, await keys.get(event), event);
        const opened: TrackedEvent = { ...event, data };
        return { value: { ...positioned, event: opened } };
      } catch (error) {
        return { error };
      }
    }),
  );
}

/** A dead letter with its record as it came: that of an event that is parked has its data sealed. */
export async function unsealDeadLetter(keys: DataKeys, letter: DeadLetter): Promise<DeadLetter> {
  const { modelId, transactionId, raw } = letter;
  const json = utf8.decode(raw);
  if (!letter.parked || modelId === null || transactionId === null || !mayContainSealed(json))
    return letter;
  const instance = { model: modelId, transaction: transactionId };
  const key = await keys.get(instance);
  // Parked while its model had no sensitive fields: the record as it came.
  if (key === undefined) return letter;
  const whole = unseal(parseJson(json), key, instance);
  return { ...letter, raw: Buffer.from(JSON.stringify(whole)) };
}
