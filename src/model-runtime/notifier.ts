import type { Notification } from '../core/effects/notification.ts';

/** Accepts notifications for the people and systems that follow instances. */
export interface Notifier {
  /**
   * Accepts notifications. Those of one instance keep their order.
   *
   * @throws RecordsRefusedError if some of them were rejected, even after retries.
   * @throws Error if it is unknown which of them were accepted.
   */
  publish(notifications: readonly Notification[]): Promise<void>;
}
