import type { NotificationRecord } from '../core/effects/notification-record.ts';

/** Selects the notifications that are published on the bus. A notification must match both `types` and `models`. */
export interface NotificationFilter {
  /** The notification types, such as `MilestoneLate`, including types that models choose. @default all types */
  readonly types?: readonly string[];
  /** The model ids. @default all models */
  readonly models?: readonly string[];
}

/** Returns the record with only the notifications that match the filter. The result can be empty. */
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
