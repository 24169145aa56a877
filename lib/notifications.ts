import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** What a tracker knows when it makes its bus. */
export interface NotificationsScope {
  readonly encryptionKey?: IKey;
}

/**
 * Where a tracker publishes what happens to instances: each change of status, each milestone that
 * is reached or late, and the end.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * new ProcessTracker(stack, 'Tracker', { notifications: Notifications.none() });
 */
export class Notifications {
  /** To a bus of the tracker's own. EventBridge charges about a dollar for a million events. */
  static toNewBus(): Notifications {
    return new Notifications(
      (scope, { encryptionKey }) =>
        new EventBus(scope, 'Notifications', {
          description: 'Milepost: what happens to instances',
          kmsKey: encryptionKey,
        }),
    );
  }

  /** To a bus that is there already. One in another account must let this account put events. */
  static toBus(bus: IEventBus): Notifications {
    return new Notifications(() => bus);
  }

  /** To nobody: nothing is published, and nothing is charged. */
  static none(): Notifications {
    return new Notifications(() => undefined);
  }

  /** The bus to publish to, which is made in `scope` where there is none yet. */
  readonly bind: (scope: Construct, props: NotificationsScope) => IEventBus | undefined;

  private constructor(bind: Notifications['bind']) {
    this.bind = bind;
  }
}
