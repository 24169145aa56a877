import type { Deadline } from '../common/deadline.ts';
import type { NotificationEvent } from '../core/effects/notification-record.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** The bus that notifications are published on. */
export interface NotificationBus {
  /**
   * Puts notifications on the bus, each instance's in the order given. One that fails with an error that
   * `isPermanent` is left out; after one that fails with another error, its instance's later ones fail too.
   *
   * @param deadline what is not put by then has failed.
   * @returns an answer for each, in the order given.
   */
  publish(
    notifications: readonly InstanceNotification[],
    deadline: Deadline,
  ): Promise<SettledResult<void>[]>;
}

/** A notification, and the instance that it is about. */
export interface InstanceNotification {
  readonly instance: InstanceKey;
  readonly notification: NotificationEvent;
}
