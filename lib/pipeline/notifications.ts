import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { NotificationFilter } from '../../src/publisher/notification-filter.ts';
import { eventBridge, warnOfImportedKey } from '../keys/warn-of-imported-key.ts';
import { requireObject } from '../options/require-object.ts';
import { checkFilter } from './bus-filter.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { NotificationStreamProps } from './notification-stream.ts';

/** The settings that a new bus inherits from the tracker. */
export interface NotificationsScope {
  readonly encryptionKey?: IKey;
}

/** The destinations of a tracker's notifications. */
export interface NotificationTargets {
  /** The stream on which models put notifications. */
  readonly stream: NotificationStreamProps;
  /** The bus on which notifications are published; undefined if notifications stay on the stream. */
  readonly eventBus?: IEventBus;
  /**
   * The queue of the notifications that the bus accepted but could not encrypt or decrypt; undefined unless the tracker
   * creates the bus and has an encryption key.
   */
  readonly busDeadLetters?: DeadLetterQueue;
  /** The notifications that are published on the bus; undefined for all notifications. */
  readonly busFilter?: NotificationFilter;
}

/** The settings of the notification stream, and the notifications that are published from it on a bus. */
export interface NotificationBusProps extends NotificationStreamProps {
  /**
   * The notifications that are published on the bus, at about one dollar per million. Other notifications stay on the
   * stream, where your own consumers can read them.
   *
   * @default all notifications
   */
  readonly filter?: NotificationFilter;
}

const streamSettings = ['shards', 'retention'];
const busSettings = [...streamSettings, 'filter'];
const example = "{ shards: 'on-demand' }";

/**
 * The destination of a tracker's notifications about status changes, milestones, and completions, and of notifications
 * whose types models choose. Models put notifications on a separate Kinesis stream, which costs about $11 per month and
 * is open to any consumer. By default, a publisher forwards the notifications to an EventBridge bus, for about one
 * dollar per million.
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
   * @example
   * const late = Notifications.toNewBus({ filter: { types: ['MilestoneLate'] } });
   *
   * @param props the settings of the notification stream, and the notifications to publish on the bus.
   */
  static toNewBus(props: NotificationBusProps = {}): Notifications {
    requireObject('the argument of Notifications.toNewBus()', props, example, busSettings);
    const { filter, ...stream } = props;
    if (filter !== undefined) checkFilter(filter);
    return new Notifications((scope, { encryptionKey }) => {
      const busDeadLetters =
        encryptionKey && new DeadLetterQueue(scope, 'NotificationsDeadLetters');
      const eventBus = new EventBus(scope, 'Notifications', {
        description: 'Milepost: notifications about instances',
        kmsKey: encryptionKey,
        // Without it, EventBridge discards a notification if it cannot use the key after it accepted the notification.
        //
        // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-event-bus-dlq.html
        deadLetterQueue: busDeadLetters,
      });
      busDeadLetters?.acceptFrom(eventBus.eventBusArn);
      if (encryptionKey)
        warnOfImportedKey(eventBus, encryptionKey, {
          keyName: 'imported `encryptionKey`',
          service: eventBridge,
          actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'],
          purpose: 'to encrypt notifications on the bus',
        });
      return { stream, busFilter: filter, eventBus, busDeadLetters };
    });
  }

  /**
   * Publishes to an existing bus in the tracker's region. A bus in another account must permit this account to put
   * events.
   *
   * @param eventBus the bus to publish to.
   * @param props the settings of the notification stream, and the notifications to publish on the bus.
   */
  static toBus(eventBus: IEventBus, props: NotificationBusProps = {}): Notifications {
    requireObject('the second argument of Notifications.toBus()', props, example, busSettings);
    const { filter, ...stream } = props;
    if (filter !== undefined) checkFilter(filter);
    return new Notifications(() => ({ stream, eventBus, busFilter: filter }));
  }

  /**
   * Publishes only to the stream, without a bus. Your own consumers read the stream
   * (docs/how-to/receive-notifications.md).
   *
   * @param stream the settings of the notification stream.
   */
  static toStream(stream: NotificationStreamProps = {}): Notifications {
    requireObject('the argument of Notifications.toStream()', stream, example, streamSettings);
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
