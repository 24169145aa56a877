import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { streamStorage } from './stream-storage.ts';

/** The stream that notifications travel on, to the bus and to whoever else reads it. */
export interface NotificationStreamProps {
  /**
   * How many shards the stream has: each takes 1,000 records or 1 MB a second and costs about $11 a month.
   * With `'on-demand'` the stream scales by itself and costs about $29 a month besides its data. While the
   * stream takes no more, events wait (docs/scale.md).
   *
   * @default 1
   */
  readonly shards?: number | 'on-demand';
  /**
   * How long the stream keeps notifications, 1 to 365 days: so long an outage of EventBridge may last. Two
   * hours before the end, those that are not published yet go to the failure bucket. More than a day costs
   * about $14 a month for each shard.
   *
   * @default 1 day
   */
  readonly retention?: Duration;
}

/** The properties that a notification stream gets from its tracker. */
export interface NotificationStreamScopeProps extends NotificationStreamProps {
  /** The name of the tracker's stream of events. */
  readonly eventStreamName: string;
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
}

const maximumNameLength = 128;

/** The stream of notifications of a tracker. */
export class NotificationStream extends Stream {
  readonly retention: Duration;

  /** @throws MilepostError `bad-request` for a name that is too long, and a wrong number of shards */
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
        `\`streamName\` must have at most ${maximumNameLength - '-notifications'.length} characters, because the stream of notifications is named after it; got ${eventStreamName.length}`,
      );
    if (shards !== 'on-demand' && !(Number.isSafeInteger(shards) && shards >= 1))
      throw new MilepostError(
        'bad-request',
        `\`shards\` must be an integer of at least 1, or 'on-demand'; got ${shards}`,
      );
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
