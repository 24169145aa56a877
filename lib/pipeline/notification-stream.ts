import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { requireDuration } from '../options/require-duration.ts';
import { requireInteger } from '../options/require-integer.ts';
import { streamRetentionHours } from '../options/stream-retention-hours.ts';
import { streamStorage } from './stream-storage.ts';

/** The settings of the stream that carries notifications to the bus and to other consumers. */
export interface NotificationStreamProps {
  /**
   * The number of shards. Each shard accepts up to 1,000 records and 1 MB per second and costs about $11 per month.
   * With `'on-demand'`, the stream scales automatically and costs about $29 per month plus a charge for its data. If
   * the stream throttles notifications, events wait (docs/explanation/scale.md).
   *
   * @default 1
   */
  readonly shards?: number | 'on-demand';
  /**
   * How long the stream keeps notifications, from 1 to 365 days. Notifications that cannot be published are retried for
   * up to 7 days, but only until two hours before the stream deletes them. Notifications that were not published by
   * then are saved to the failure bucket. A retention of more than a day costs about $14 more per month and shard.
   *
   * @default 1 day
   */
  readonly retention?: Duration;
}

/** The properties that a tracker passes to a notification stream. */
export interface NotificationStreamScopeProps extends NotificationStreamProps {
  /** The name of the tracker's event stream. */
  readonly eventStreamName: string;
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
}

const maximumNameLength = 128;

/** The notification stream of a tracker. */
export class NotificationStream extends Stream {
  readonly retention: Duration;

  /** @throws MilepostError `bad-request` if the name is too long, or the number of shards or retention is invalid. */
  constructor(
    scope: Construct,
    id: string,
    { eventStreamName, encryptionKey, removalPolicy, ...props }: NotificationStreamScopeProps,
  ) {
    const { shards = 1, retention = Duration.days(1) } = props;
    const streamName = `${eventStreamName}-notifications`;
    if (streamName.length > maximumNameLength)
      throw new MilepostError(
        'bad-request',
        `\`streamName\` must have at most ${maximumNameLength - '-notifications'.length} characters, because the notification stream appends a suffix; got ${eventStreamName.length}`,
      );
    if (shards !== 'on-demand') requireInteger("`shards`, unless it is 'on-demand',", shards, 1);
    requireDuration('`retention`', retention, 'hours', ...streamRetentionHours);
    super(scope, id, {
      streamName,
      ...(shards === 'on-demand'
        ? { streamMode: StreamMode.ON_DEMAND }
        : { streamMode: StreamMode.PROVISIONED, shardCount: shards }),
      retentionPeriod: retention,
      ...streamStorage(encryptionKey, removalPolicy),
    });
    this.retention = retention;
  }
}
