import { type Stream, StreamConsumer } from 'aws-cdk-lib/aws-kinesis';
import {
  KinesisConsumerEventSource,
  KinesisEventSource,
  type KinesisEventSourceProps,
} from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { requireInteger } from '../options/require-integer.ts';

/** The delivery of the stream's records to the dispatcher. */
export interface RecordDelivery {
  /** Whether Kinesis pushes the records (enhanced fan-out) instead of Lambda reading each shard once a second. */
  readonly lowLatency: boolean;
  /**
   * The maximum number of batches of a shard that are processed concurrently. Default: 1 with `lowLatency`, otherwise
   * 10.
   */
  readonly parallelizationFactor?: number;
}

/** An event source that delivers the records, with the stream consumer to which Kinesis pushes them. */
export interface DeliveringSource {
  readonly source: KinesisEventSource | KinesisConsumerEventSource;
  /** Undefined if Lambda reads the shards. */
  readonly consumer?: StreamConsumer;
}

/** The maximum parallelization factor that Lambda supports. */
const maximumFactor = 10;
/**
 * The maximum parallelization factor with enhanced fan-out. With a higher factor, Lambda itself splits the aggregated
 * records of the Kinesis Producer Library and drops user records whose partition key does not belong to the shard.
 * Dropped user records are not sent to a failure destination.
 */
const maximumFactorOfPush = 1;

/**
 * Creates the event source of a stream.
 *
 * @throws MilepostError `bad-request` for a parallelization factor that is not an integer from 1 to 10, or above 1 with
 * `lowLatency`.
 */
export function deliverRecords(
  scope: Construct,
  stream: Stream,
  {
    lowLatency,
    parallelizationFactor: factor = lowLatency ? maximumFactorOfPush : maximumFactor,
  }: RecordDelivery,
  settings: Omit<KinesisEventSourceProps, 'parallelizationFactor'>,
): DeliveringSource {
  requireInteger('`parallelizationFactor`', factor, 1, maximumFactor);
  if (!lowLatency)
    return {
      source: new KinesisEventSource(stream, { ...settings, parallelizationFactor: factor }),
    };
  if (factor > maximumFactorOfPush)
    throw new MilepostError(
      'bad-request',
      `\`parallelizationFactor\` must be 1 with \`lowLatency\`, because Lambda would otherwise drop aggregated records; ` +
        `got ${factor}; remove one of these settings`,
    );
  const consumer = new StreamConsumer(scope, 'Consumer', {
    streamConsumerName: 'milepost-dispatcher',
    stream,
  });
  const source = new KinesisConsumerEventSource(consumer, {
    ...settings,
    parallelizationFactor: factor,
  });
  return { source, consumer };
}
