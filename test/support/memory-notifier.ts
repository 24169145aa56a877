import type { Notification } from '../../src/core/effects/notification.ts';
import type { Notifier } from '../../src/model-runtime/notifier.ts';

/** Keeps what was published, and can be told to fail. */
export class MemoryNotifier implements Notifier {
  readonly notifications: Notification[] = [];
  failure: Error | undefined;

  async publish(notifications: readonly Notification[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.notifications.push(...notifications);
  }
}
