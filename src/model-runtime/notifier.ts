import type { Notification } from '../core/effects/notification.ts';

/** Publishes notifications to the people and systems that follow instances. */
export interface Notifier {
  /**
   * Publishes notifications. The notifications of one instance keep their order.
   *
   * @throws RecordsRefusedError if some notifications were rejected, even after retries.
   * @throws Error if it is unknown which notifications were accepted.
   */
  publish(notifications: readonly Notification[]): Promise<void>;
}
