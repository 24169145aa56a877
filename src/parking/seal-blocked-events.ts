import { type InstanceKey, isExtension } from '../core/event/event.ts';
import { memberText } from '../core/json/element-texts.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json/json.ts';
import { parseJson } from '../core/json/parse-json.ts';
import { sealer, sealJson } from '../core/personal-data/sealed.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { BlockedEvent } from './blocked-event.ts';

/** Decodes UTF-8 and, like `decodeEvent`, removes a byte order mark, which `JSON.parse` does not accept. */
const utf8 = new TextDecoder();

/**
 * Seals the data of an instance's blocked events, both in the events and in their records. In the records, also seals
 * the extension attributes, which can contain personal data.
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
  const sealValue = sealer(key, instance);
  return blocked.map((each) => {
    const { record, event } = each.received;
    const json = utf8.decode(record.data);
    const text = memberText(json, 'data') ?? JSON.stringify(event.data);
    const data = sealJson(text, key, instance);
    const whole = parseJson(json);
    const sealed = isJsonObject(whole) ? { ...withSealedExtensions(whole, sealValue), data } : null;
    const raw = Buffer.from(JSON.stringify(sealed));
    return {
      ...each,
      received: { record: { ...record, data: raw }, event: { ...event, data } },
    };
  });
}

function withSealedExtensions(whole: JsonObject, sealValue: (value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(whole).map(([name, value]) => [
      name,
      isExtension(name) ? sealValue(value) : value,
    ]),
  );
}
