import type { CfnStream, Stream } from 'aws-cdk-lib/aws-kinesis';

/**
 * Rejects a stream that distributes its records evenly and ignores their partition keys. In such a stream, the events
 * of an instance are spread over several shards, so their order is lost.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateStreamRecordDistributionStrategy.html
 */
export function requirePartitionKeys(stream: Stream): void {
  stream.node.addValidation({
    validate: () => {
      const { recordDistributionStrategy = 'USER_PARTITION_KEY' } = stream.node
        .defaultChild as CfnStream;
      return recordDistributionStrategy === 'USER_PARTITION_KEY'
        ? []
        : [
            '`recordDistributionStrategy` of the stream must be USER_PARTITION_KEY, because events of an instance stay in ' +
              `order only if they share a shard; got ${recordDistributionStrategy}; remove the setting`,
          ];
    },
  });
}
