import { isPermanent } from '../../core/errors.ts';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { mayContainSealed, unseal } from '../../core/personal-data/sealed.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import { type SettledResult, settle } from '../../stores/settled-result.ts';
import type { PositionedEvent } from '../protocol.ts';

/** Decodes UTF-8 and, like `decodeEvent`, removes a byte order mark, which `JSON.parse` does not accept. */
const utf8 = new TextDecoder();

/** Unseals parked events' data. If an event's key cannot be read, only that event fails. */
export function unsealEvents(
  keys: DataKeys,
  events: readonly PositionedEvent[],
): Promise<SettledResult<PositionedEvent>[]> {
  return Promise.all(
    events.map((positioned) =>
      settle(async () => {
        const { event } = positioned;
        if (!mayContainSealed(JSON.stringify(event.data))) return positioned;
        const data = unseal(event.data, await keys.get(event), event);
        return { ...positioned, event: { ...event, data } };
      }),
    ),
  );
}

/**
 * Restores the original record of a dead letter. If the dead letter is a parked event, its data may be sealed. If
 * reading the key fails permanently, the data remains sealed. An error would prevent lists from showing the other dead
 * letters.
 */
export async function unsealDeadLetter(keys: DataKeys, letter: DeadLetter): Promise<DeadLetter> {
  const { modelId, transactionId, raw } = letter;
  const json = utf8.decode(raw);
  if (!letter.parked || modelId === null || transactionId === null || !mayContainSealed(json))
    return letter;
  const instance = { model: modelId, transaction: transactionId };
  const key = await keys.get(instance).catch((error: unknown) => {
    if (isPermanent(error)) return undefined;
    throw error;
  });
  // Either the key cannot be read, or the instance never had a key. In the latter case, the record is not sealed: the
  // model had no sensitive fields when the event was parked.
  if (key === undefined) return letter;
  const whole = unseal(parseJson(json), key, instance);
  return { ...letter, raw: Buffer.from(JSON.stringify(whole)) };
}
