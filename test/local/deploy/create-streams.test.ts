import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import { expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { createStreams } from '../../../src/local/deploy/create-streams.ts';
import { kinesisClient } from '../../../src/local/running/aws-clients.ts';

it('createStreams sets the retention of new and existing streams to at most 7 days', async () => {
  const endpoint = await startKinesis({ port: 0, dataFolder: null });
  const client = kinesisClient(endpoint.url);
  try {
    const retentionAfter = async (retentionHours?: number) => {
      const arn = 'arn:aws:kinesis:us-east-1:000000000000:stream/events';
      await createStreams(client, [{ name: 'events', arn, shards: 1, retentionHours }]);
      const { StreamDescriptionSummary } = await client.send(
        new DescribeStreamSummaryCommand({ StreamName: 'events' }),
      );
      return StreamDescriptionSummary?.RetentionPeriodHours;
    };
    expect(await retentionAfter()).toBe(24);
    expect(await retentionAfter(48)).toBe(48);
    expect(await retentionAfter(8760)).toBe(168);
    expect(await retentionAfter(24)).toBe(24);
  } finally {
    client.destroy();
    await endpoint.close();
  }
});
