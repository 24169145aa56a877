import type { StreamReader, StreamStatus } from '../../api/checks/installation.ts';
import type { KinesisDescriber } from '../client/kinesis.ts';
import { undefinedIfMissing } from '../client/transport/service-error.ts';

/**
 * Describes Kinesis streams.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeStreamSummary.html
 */
export class KinesisStreamReader implements StreamReader {
  readonly #client: KinesisDescriber;

  constructor(client: KinesisDescriber) {
    this.#client = client;
  }

  async read(name: string): Promise<StreamStatus | undefined> {
    const described = await undefinedIfMissing(
      this.#client.describeStreamSummary({ StreamName: name }),
    );
    if (!described) return undefined;
    const { StreamDescriptionSummary: summary } = described;
    return {
      arn: summary?.StreamARN ?? '',
      status: summary?.StreamStatus ?? '',
      openShards: summary?.OpenShardCount ?? 0,
      retentionHours: summary?.RetentionPeriodHours ?? 0,
      usesPartitionKeys: summary?.RecordDistributionStrategy !== 'AUTO',
    };
  }
}
