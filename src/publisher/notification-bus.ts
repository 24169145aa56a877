import type { Deadline } from '../common/deadline.ts';
import type { NotificationEvent } from '../core/effects/notification-record.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** The event bus on which notifications are published. */
export interface NotificationBus {
  /**
   * Publishes notifications. One instance's notifications keep their order. A notification with a permanent error (see
   * `isPermanent`) is skipped. After any other error, later notifications about the same instance also fail.
   *
   * @param deadline when to stop. Notifications that are not published by then fail.
   * @returns a result for each notification, in the same order.
   */
  publish(
    notifications: readonly InstanceNotification[],
    deadline: Deadline,
  ): Promise<SettledResult<void>[]>;
}

/** A notification and the instance that it is about. */
export interface InstanceNotification {
  readonly instance: InstanceKey;
  readonly notification: NotificationEvent;
}
