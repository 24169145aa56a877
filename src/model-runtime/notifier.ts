import type { Notification } from '../core/effects/notification.ts';

/** Takes notifications on their way to the people and systems that want to hear what happens to instances. */
export interface Notifier {
  /**
   * Takes notifications, each instance's in the order given.
   *
   * @throws RecordsRefusedError when some of them were refused, even when they were put again.
   * @throws Error when it is not known which of them were taken.
   */
  publish(notifications: readonly Notification[]): Promise<void>;
}
