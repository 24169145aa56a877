import {
  CreateStreamCommand,
  type KinesisClient,
  ResourceInUseException,
  waitUntilStreamExists,
} from '@aws-sdk/client-kinesis';
import type { StreamDefinition } from '../template/service-definition.ts';

/**
 * How many shards a stream on demand has. AWS starts with four; two are enough to be more than one,
 * and take less of a machine.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/how-do-i-size-a-stream.html
 */
const onDemandShards = 2;

/** Brings up the streams; one that is there from an earlier run is kept. */
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
