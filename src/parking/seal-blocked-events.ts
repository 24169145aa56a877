import type { InstanceKey } from '../core/event/event.ts';
import { memberText } from '../core/json/element-texts.ts';
import { isJsonObject } from '../core/json/json.ts';
import { parseJson } from '../core/json/parse-json.ts';
import { sealJson } from '../core/personal-data/sealed.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { BlockedEvent } from './blocked-event.ts';

/** Decodes UTF-8 and, like `decodeEvent`, removes a byte order mark, which `JSON.parse` does not accept. */
const utf8 = new TextDecoder();

/**
 * Seals the data of an instance's blocked events, both in the events and in their records.
 *
 * The sealed text is the data exactly as in the record, so the text never exceeds the maximum size of an event.
 * Serializing the parsed data could lengthen its numbers (`1e20` would become 21 digits). Sealed data does not
 * compress, so the event might then not fit into an item.
 */
export async function sealBlockedEvents(
  keys: DataKeys,
  instance: InstanceKey,
  blocked: readonly BlockedEvent[],
): Promise<BlockedEvent[]> {
  const key = await keys.getOrCreate(instance);
  return blocked.map((each) => {
    const { record, event } = each.received;
    const json = utf8.decode(record.data);
    const text = memberText(json, 'data') ?? JSON.stringify(event.data);
    const data = sealJson(text, key, instance);
    const whole = parseJson(json);
    const raw = Buffer.from(JSON.stringify(isJsonObject(whole) ? { ...whole, data } : null));
    return {
      ...each,
      received: { record: { ...record, data: raw }, event: { ...event, data } },
    };
  });
}
