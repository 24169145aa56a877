import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import { NotificationStream } from './pipeline/notification-stream.ts';
import { Notifications } from './pipeline/notifications.ts';
import { streamStorage } from './pipeline/stream-storage.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';

/** The streams of a tracker. */
export interface TrackerStreams {
  /** Takes events. */
  readonly stream: Stream;
  /** Takes notifications; none where the tracker publishes none. */
  readonly notificationStream?: NotificationStream;
  /** Where notifications are published from their stream; none where the stream is the end of their way. */
  readonly eventBus?: IEventBus;
}

/** The name of a tracker's stream, where it is given none. */
export const defaultStreamName = 'milepost-events';
/** How long that stream keeps events, where it is not said. */
export const defaultStreamRetention = Duration.days(7);

/** Adds the streams to a tracker, and its bus. */
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
  const targets = notifications.bind(scope, { encryptionKey });
  if (!targets) return { stream };
  const notificationStream = new NotificationStream(scope, 'NotificationStream', {
    ...targets.stream,
    eventStreamName: streamName,
    encryptionKey,
    removalPolicy,
  });
  return { stream, notificationStream, eventBus: targets.eventBus };
}
