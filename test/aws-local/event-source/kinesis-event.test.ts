import { expect, it } from 'vitest';
import { Harness, mappingIdentity, onlyShard } from './harness.ts';

it('kinesisEvent returns an event in the format of Lambda', async () => {
  const harness = new Harness();
  const arrived = harness.clock.now() + 0.5;
  await harness.clock.advance(0.5);
  const sequenceNumber = harness.stream.putData(onlyShard, 'ATV-1', Buffer.from([0, 255, 254]));
  await harness.run();
  expect(harness.invocations.map(({ event }) => event)).toEqual([
    {
      Records: [
        {
          kinesis: {
            kinesisSchemaVersion: '1.0',
            partitionKey: 'ATV-1',
            sequenceNumber,
            data: 'AP/+',
            approximateArrivalTimestamp: arrived / 1000,
          },
          eventSource: 'aws:kinesis',
          eventVersion: '1.0',
          eventID: `${onlyShard}:${sequenceNumber}`,
          eventName: 'aws:kinesis:record',
          invokeIdentityArn: mappingIdentity.roleArn,
          awsRegion: 'us-east-1',
          eventSourceARN: mappingIdentity.streamArn,
        },
      ],
    },
  ]);
});
