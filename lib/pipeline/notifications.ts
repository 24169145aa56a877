import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { NotificationStreamProps } from './notification-stream.ts';

/** What a tracker knows when it makes its bus. */
export interface NotificationsScope {
  readonly encryptionKey?: IKey;
}

/** Where the notifications of one tracker go. */
export interface NotificationTargets {
  /** The stream that the models put notifications on. */
  readonly stream: NotificationStreamProps;
  /** The bus that they are published on; none where the stream is the end of their way. */
  readonly eventBus?: IEventBus;
}

/**
 * Where a tracker publishes what happens to instances: each change of status, each milestone that
 * is reached or late, and the end. Models put notifications on a Kinesis stream of their own, which costs
 * about $11 a month and can be read by any consumer. A publisher takes them from there to an EventBridge
 * bus, for about a dollar for a million.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * new ProcessTracker(stack, 'Tracker', { notifications: Notifications.none() });
 */
export class Notifications {
  /**
   * To a bus of the tracker's own.
   *
   * @param stream the settings of the stream that notifications wait on.
   */
  static toNewBus(stream: NotificationStreamProps = {}): Notifications {
    return new Notifications((scope, { encryptionKey }) => ({
      stream,
      eventBus: new EventBus(scope, 'Notifications', {
        description: 'Milepost: what happens to instances',
        kmsKey: encryptionKey,
      }),
    }));
  }

  /**
   * To a bus that is there already. One in another account must let this account put events.
   *
   * @param eventBus the bus to publish to.
   * @param stream the settings of the stream that notifications wait on.
   */
  static toBus(eventBus: IEventBus, stream: NotificationStreamProps = {}): Notifications {
    return new Notifications(() => ({ stream, eventBus }));
  }

  /**
   * To the stream alone, which your own consumers read (docs/notifications.md). There is no bus.
   *
   * @param stream the settings of the stream.
   */
  static toStream(stream: NotificationStreamProps = {}): Notifications {
    return new Notifications(() => ({ stream }));
  }

  /** To nobody: nothing is published, and nothing is charged. */
  static none(): Notifications {
    return new Notifications(() => undefined);
  }

  /** Where they go; a bus is made in `scope` where there is none yet. Undefined: nowhere. */
  readonly bind: (scope: Construct, props: NotificationsScope) => NotificationTargets | undefined;

  private constructor(bind: Notifications['bind']) {
    this.bind = bind;
  }
}
