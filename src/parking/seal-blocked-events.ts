import type { InstanceKey } from '../core/event/event.ts';
import { isJsonObject } from '../core/json/json.ts';
import { parseJson } from '../core/json/parse-json.ts';
import { seal } from '../core/personal-data/sealed.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { BlockedEvent } from './blocked-event.ts';

/** Decodes UTF-8 and, like the decoder of events, removes a byte order mark, which `JSON.parse` does not accept. */
const utf8 = new TextDecoder();

/** Seals the data of an instance's blocked events, both in the events and in their records. */
export async function sealBlockedEvents(
  keys: DataKeys,
  instance: InstanceKey,
  blocked: readonly BlockedEvent[],
): Promise<BlockedEvent[]> {
  const key = await keys.getOrCreate(instance);
  return blocked.map((each) => {
    const { record, event } = each.received;
    const data = seal(event.data, key, instance);
    const whole = parseJson(utf8.decode(record.data));
    const raw = Buffer.from(JSON.stringify(isJsonObject(whole) ? { ...whole, data } : null));
    return {
      ...each,
      received: { record: { ...record, data: raw }, event: { ...event, data } },
    };
  });
}
