import type { Notification } from '../core/effects/notification.ts';

/** Takes notices on their way to the people and systems that want to hear what happens to instances. */
export interface Notifier {
  /**
   * Takes notices, each instance's in the order given.
   *
   * @throws RecordsRefused when some of them were refused, even when they were put again.
   * @throws Error when it is not known which of them were taken.
   */
  publish(notices: readonly Notification[]): Promise<void>;
}
