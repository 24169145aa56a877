import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import type { NotificationFilter } from '../src/publisher/notification-filter.ts';
import { requireSameRegion } from './options/require-same-region.ts';
import type { DeadLetterQueue } from './pipeline/dead-letter-queue.ts';
import { NotificationStream } from './pipeline/notification-stream.ts';
import { Notifications } from './pipeline/notifications.ts';
import { requirePartitionKeys } from './pipeline/require-partition-keys.ts';
import { requireUniqueName } from './pipeline/require-unique-name.ts';
import { streamStorage } from './pipeline/stream-storage.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';

export interface TrackerStreams {
  readonly stream: Stream;
  /** The stream for notifications; undefined with `Notifications.none()`. */
  readonly notificationStream?: NotificationStream;
  /** The bus for notifications; undefined if notifications stay on the stream. */
  readonly eventBus?: IEventBus;
  /** The notifications that the bus accepted but could not encrypt or decrypt; undefined if none can be lost. */
  readonly busDeadLetters?: DeadLetterQueue;
  /** The notifications that are published on the bus; undefined for all notifications. */
  readonly busFilter?: NotificationFilter;
}

export const defaultStreamName = 'milepost-events';
export const defaultStreamRetention = Duration.days(7);

/** Adds the streams and the notification bus to a tracker. */
export function addStreams(
  scope: Construct,
  {
    streamName = defaultStreamName,
    streamRetention = defaultStreamRetention,
    removalPolicy = RemovalPolicy.RETAIN,
    encryptionKey,
    notifications = Notifications.toNewBus(),
  }: ProcessTrackerProps,
): TrackerStreams {
  const stream = new Stream(scope, 'Stream', {
    streamName,
    streamMode: StreamMode.ON_DEMAND,
    retentionPeriod: streamRetention,
    ...streamStorage(encryptionKey, removalPolicy),
  });
  requirePartitionKeys(stream);
  requireUniqueName(stream);
  const targets = notifications.bind(scope, { encryptionKey });
  if (!targets) return { stream };
  const { eventBus, busDeadLetters, busFilter } = targets;
  // Check the property, not its value: a JavaScript program can call `Notifications.toBus` without a bus.
  if ('eventBus' in targets) {
    const bus = targets.eventBus as IEventBus;
    requireSameRegion(scope, 'the bus of `notifications`', 'bus', bus);
  }
  const notificationStream = new NotificationStream(scope, 'NotificationStream', {
    ...targets.stream,
    eventStreamName: streamName,
    encryptionKey,
    removalPolicy,
  });
  requirePartitionKeys(notificationStream);
  requireUniqueName(notificationStream);
  return { stream, notificationStream, eventBus, busDeadLetters, busFilter };
}
