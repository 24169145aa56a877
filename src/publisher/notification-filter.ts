import type { NotificationRecord } from '../core/effects/notification-record.ts';

/** A filter for the notifications that are published on the bus. A notification must match all conditions. */
export interface NotificationFilter {
  /** The types of notifications, such as `MilestoneLate`. @default all types */
  readonly types?: readonly string[];
  /** The ids of models. @default all models */
  readonly models?: readonly string[];
}

/** Returns the record with only the notifications that match the filter. The result can contain no notifications. */
export function filterRecord(
  record: NotificationRecord,
  { types, models }: NotificationFilter,
): NotificationRecord {
  const isOfModel = models?.includes(record.model) ?? true;
  return {
    ...record,
    notifications: record.notifications.filter(
      (each) => isOfModel && (types?.includes(each['detail-type']) ?? true),
    ),
  };
}
