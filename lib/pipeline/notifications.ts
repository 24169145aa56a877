import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { NotificationStreamProps } from './notification-stream.ts';

/** The settings of the tracker that a new bus uses. */
export interface NotificationsScope {
  readonly encryptionKey?: IKey;
}

/** The destinations of a tracker's notifications. */
export interface NotificationTargets {
  /** The stream that models put notifications on. */
  readonly stream: NotificationStreamProps;
  /** The bus that notifications are published on; undefined if they stay on the stream. */
  readonly eventBus?: IEventBus;
}

/**
 * The destination of a tracker's notifications: status changes, milestones that are reached or late, and completions.
 * Models put notifications on a separate Kinesis stream, which costs about $11 per month and is open to any consumer. A
 * publisher forwards them to an EventBridge bus, for about one dollar per million.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * new ProcessTracker(stack, 'Tracker', { notifications: Notifications.none() });
 */
export class Notifications {
  /**
   * Publishes to a new bus of the tracker.
   *
   * @param stream the settings of the notification stream
   */
  static toNewBus(stream: NotificationStreamProps = {}): Notifications {
    return new Notifications((scope, { encryptionKey }) => ({
      stream,
      eventBus: new EventBus(scope, 'Notifications', {
        description: 'Milepost: notifications about instances',
        kmsKey: encryptionKey,
      }),
    }));
  }

  /**
   * Publishes to an existing bus. A bus in another account must permit this account to put events.
   *
   * @param eventBus the bus to publish to
   * @param stream the settings of the notification stream
   */
  static toBus(eventBus: IEventBus, stream: NotificationStreamProps = {}): Notifications {
    return new Notifications(() => ({ stream, eventBus }));
  }

  /**
   * Publishes to the stream only, without a bus. Your own consumers read the stream
   * (docs/how-to/receive-notifications.md).
   *
   * @param stream the settings of the notification stream
   */
  static toStream(stream: NotificationStreamProps = {}): Notifications {
    return new Notifications(() => ({ stream }));
  }

  /** Publishes nothing and costs nothing. */
  static none(): Notifications {
    return new Notifications(() => undefined);
  }

  /** Returns the destinations, creating a bus in `scope` if needed. Returns undefined if nothing is published. */
  readonly bind: (scope: Construct, props: NotificationsScope) => NotificationTargets | undefined;

  private constructor(bind: Notifications['bind']) {
    this.bind = bind;
  }
}
