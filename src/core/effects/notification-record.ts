import * as v from 'valibot';
import { inChunksWithin } from '../../common/chunks.ts';
import { messageOf } from '../../common/message-of.ts';
import { issueText } from '../../common/schema-issues.ts';
import { type InstanceKey, partitionKeyOf } from '../event/event.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Notification } from './notification.ts';

/** A notification in the format of the event bus. Records of the notification stream use the same format. */
export interface NotificationEvent {
  readonly source: typeof notificationSource;
  readonly 'detail-type': string;
  /** When the commit was made, RFC 3339 in UTC. */
  readonly time: string;
  /** The content of the notification. `detail.id` identifies the notification. */
  readonly detail: JsonObject;
}

/** The content of a record on the notification stream: consecutive notifications from one instance. */
export interface NotificationRecord extends InstanceKey {
  readonly notifications: readonly NotificationEvent[];
}

/** A record for the notification stream, and the notifications in it. */
export interface PackedNotifications {
  readonly notifications: readonly Notification[];
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

const notificationSource = 'milepost';

/**
 * The maximum number of notifications in a record, and their maximum total size in bytes. With smaller limits, an
 * instance with hundreds of notifications would need hundreds of sequential requests. With larger limits, the publisher
 * could not always send a whole record to the event bus within one invocation because a request can take seconds.
 */
const recordLimits = { values: 50, bytes: 240 * 1024 };

/** Packs notifications into records. Each instance's notifications keep their order. */
export function packNotifications(notifications: readonly Notification[]): PackedNotifications[] {
  const byInstance = Map.groupBy(notifications, ({ instance }) => JSON.stringify(instance));
  return [...byInstance.values()].flatMap((ofInstance) =>
    inChunksWithin(ofInstance, recordLimits, ({ detail }) =>
      Buffer.byteLength(JSON.stringify(detail)),
    ).map((pack) => ({
      notifications: pack,
      ...encodeNotificationRecord(pack[0]!.instance, pack.map(toNotificationEvent)),
    })),
  );
}

/** Encodes one instance's notifications as a record and returns it with its partition key. */
export function encodeNotificationRecord(
  { model, transaction }: InstanceKey,
  notifications: readonly NotificationEvent[],
): Pick<PackedNotifications, 'partitionKey' | 'data'> {
  const record: NotificationRecord = { model, transaction, notifications };
  return {
    partitionKey: partitionKeyOf({ transaction }),
    data: Buffer.from(JSON.stringify(record)),
  };
}

/** Converts a notification to the format of the event bus. */
export const toNotificationEvent = ({ type, at, detail }: Notification): NotificationEvent => ({
  source: notificationSource,
  'detail-type': type,
  time: at,
  detail,
});

const text = v.pipe(v.string(), v.nonEmpty());
// A custom schema does not copy the object, so the event bus receives it unchanged.
const detail = v.custom<JsonObject>(
  (value) => isJsonObject(value) && typeof value['id'] === 'string' && value['id'] !== '',
  'must be an object with an `id`',
);
const notification = v.object({
  source: v.literal(notificationSource),
  'detail-type': text,
  time: v.pipe(v.string(), v.isoTimestamp()),
  detail,
});
const recordSchema = v.object({
  model: text,
  transaction: text,
  notifications: v.pipe(v.array(notification), v.minLength(1)),
});

/** Parses a record of the notification stream. Any producer can write to the stream, so every part is validated. */
export function readNotificationRecord(
  data: Uint8Array,
): { readonly record: NotificationRecord } | { readonly flaw: string } {
  let json: unknown;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch (error) {
    return { flaw: `not JSON: ${messageOf(error)}` };
  }
  const parsed = v.safeParse(recordSchema, json);
  if (parsed.success) return { record: parsed.output };
  return { flaw: issueText(parsed.issues[0]) };
}
