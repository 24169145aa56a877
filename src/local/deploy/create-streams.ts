import {
  CreateStreamCommand,
  type KinesisClient,
  ResourceInUseException,
  waitUntilStreamExists,
} from '@aws-sdk/client-kinesis';
import type { StreamDefinition } from '../template/service-definition.ts';

/**
 * The number of shards of an on-demand stream. AWS starts with four. Two are enough to test with several shards, and
 * use fewer resources.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/how-do-i-size-a-stream.html
 */
const onDemandShards = 2;

/** Creates the streams that do not exist from an earlier run. */
export async function createStreams(
  client: KinesisClient,
  streams: readonly StreamDefinition[],
): Promise<void> {
  for (const { name, shards = onDemandShards } of streams) {
    try {
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: shards }));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await waitUntilStreamExists(
      { client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.5 },
      { StreamName: name },
    );
  }
}
