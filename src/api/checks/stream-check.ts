import { type Check, failed, ok, warning } from './check.ts';
import type { Installation } from './installation.ts';
import { countText, durationText } from './phrases.ts';

/** Checks that a stream accepts records and keeps records with the same partition key in order. */
export function streamCheck(
  id: string,
  name: string,
  { streams, awsCommand }: Installation,
): Check {
  return {
    id,
    async run() {
      const stream = await streams.read(name);
      if (!stream)
        return failed(`the stream ${name} does not exist, so records cannot be put on it`);
      const { arn, status, openShards, retentionHours, usesPartitionKeys } = stream;
      if (status === 'CREATING')
        return warning(`${name} is being created; wait a minute and check again`);
      // A stream that is being updated, for example, while it scales, accepts and returns records.
      if (status !== 'ACTIVE' && status !== 'UPDATING')
        return failed(`${name} is being deleted, so records cannot be put on it`);
      if (!usesPartitionKeys)
        return failed(
          `${name} ignores partition keys, so its records can be out of order`,
          awsCommand(
            `aws kinesis update-stream-record-distribution-strategy --stream-arn ${arn} --record-distribution-strategy USER_PARTITION_KEY`,
          ),
        );
      const retention = durationText(retentionHours * 3_600_000);
      return ok(`${name} is active: ${countText(openShards, 'shard')}, ${retention} of retention`);
    },
  };
}
