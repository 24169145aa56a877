import {
  CreateStreamCommand,
  DecreaseStreamRetentionPeriodCommand,
  DescribeStreamSummaryCommand,
  IncreaseStreamRetentionPeriodCommand,
  type KinesisClient,
  ResourceInUseException,
  waitUntilStreamExists,
} from '@aws-sdk/client-kinesis';
import type { StreamDefinition } from '../template/service-definition.ts';

/**
 * The number of shards of an on-demand stream. AWS starts with four shards. Two shards use fewer resources and are
 * enough to test with several shards.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/how-do-i-size-a-stream.html
 */
const onDemandShards = 2;

/** The longest retention of a stream that the endpoint supports, in hours: 7 days. */
const maximumRetentionHours = 168;

/**
 * Creates the streams that no earlier run has created, and sets the retention of the streams that specify a retention.
 */
export async function createStreams(
  client: KinesisClient,
  streams: readonly StreamDefinition[],
): Promise<void> {
  for (const { name, shards = onDemandShards, retentionHours } of streams) {
    try {
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: shards }));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilStreamExists(
      { client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.5 },
      { StreamName: name },
    );
    if (retentionHours !== undefined) await setRetention(client, name, retentionHours);
  }
}

async function setRetention(client: KinesisClient, name: string, hours: number): Promise<void> {
  const { StreamDescriptionSummary } = await client.send(
    new DescribeStreamSummaryCommand({ StreamName: name }),
  );
  const before = StreamDescriptionSummary!.RetentionPeriodHours!;
  const after = Math.min(hours, maximumRetentionHours);
  const input = { StreamName: name, RetentionPeriodHours: after };
  if (after > before) await client.send(new IncreaseStreamRetentionPeriodCommand(input));
  if (after < before) await client.send(new DecreaseStreamRetentionPeriodCommand(input));
}
