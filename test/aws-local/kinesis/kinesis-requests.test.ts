import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListShardsCommand,
  PutRecordCommand,
  PutRecordsCommand,
  RegisterStreamConsumerCommand,
  SubscribeToShardCommand,
  UpdateStreamModeCommand,
} from '@aws-sdk/client-kinesis';
import { describe, expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, kinesisOf, running, sendJson } from '../endpoints/support.ts';

const StreamName = 'events';
const StreamARN = 'arn:aws:kinesis:us-east-1:000000000000:stream/events';
const record = { PartitionKey: 'k', Data: Buffer.from('x') };

async function started() {
  const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
  const client = kinesisOf(endpoint);
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  return { endpoint, client };
}

describe('a request that identifies a stream by its ARN', () => {
  it('can put records, read them, and describe the stream', async () => {
    const { client } = await started();
    const summary = await client.send(new DescribeStreamSummaryCommand({ StreamARN }));
    expect(summary.StreamDescriptionSummary).toMatchObject({ StreamName, StreamARN });
    await client.send(new PutRecordCommand({ StreamARN, ...record }));
    await client.send(new PutRecordsCommand({ StreamARN, StreamName, Records: [record] }));

    const { Shards: [{ ShardId } = {}] = [] } = await client.send(
      new ListShardsCommand({ StreamARN }),
    );
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamARN, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    const { Records } = await client.send(new GetRecordsCommand({ StreamARN, ShardIterator }));
    expect(Records).toHaveLength(2);
  });

  it('can contain any region and account in the ARN', async () => {
    const { client } = await started();
    const elsewhere = 'arn:aws:kinesis:eu-central-1:123456789012:stream/events';
    const { ShardId } = await client.send(
      new PutRecordCommand({ StreamARN: elsewhere, ...record }),
    );
    expect(ShardId).toBe('shardId-000000000000');
  });

  it.each([
    [
      'is not the ARN of a stream',
      { StreamARN: 'events' },
      'ValidationException',
      /'streamARN' failed/,
    ],
    [
      'contradicts the stream name in the request',
      { StreamARN, StreamName: 'other' },
      'InvalidArgumentException',
      /must refer to the same stream; got .*stream\/events and "other"/,
    ],
    [
      'refers to a stream that does not exist',
      { StreamARN: `${StreamARN}-none` },
      'ResourceNotFoundException',
      /Stream events-none under account 000000000000 not found/,
    ],
  ])('is rejected with an explanation if the ARN %s', async (_, stream, name, message) => {
    const { client } = await started();
    const refused = client.send(new PutRecordCommand({ ...stream, ...record }));
    await expect(refused).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });
});

describe('a malformed request', () => {
  it.each([
    ['PutRecords', `{"StreamName":"${StreamName}","Records":[null]}`, /'records.1.member'/],
    [
      'RemoveTagsFromStream',
      `{"StreamName":"${StreamName}","TagKeys":[null]}`,
      /'tagKeys.1.member'/,
    ],
    ['AddTagsToStream', `{"StreamName":"${StreamName}","Tags":{"a":null}}`, /'tags.a.member'/],
    ['PutRecord', `{"StreamARN":"arn:aws${':kinesis:'.repeat(50_000)}"}`, /'streamARN' failed/],
  ])('is rejected, and the endpoint keeps running: %s', async (operation, body, message) => {
    const { endpoint, client } = await started();
    expect(await sendJson(endpoint, `Kinesis_20131202.${operation}`, body)).toMatchObject({
      status: 400,
      body: { __type: 'ValidationException', message: expect.stringMatching(message) },
    });
    await client.send(new PutRecordCommand({ StreamName, ...record }));
  });

  it.each(['GetRecords', 'PutRecords'])('is rejected if it is null: %s', async (operation) => {
    const { endpoint } = await started();
    expect(await sendJson(endpoint, `Kinesis_20131202.${operation}`, 'null')).toMatchObject({
      status: 400,
      body: { __type: 'SerializationException' },
    });
  });
});

describe('a stream whose name is a property of arrays', () => {
  it.each(['filter', 'length'])('cannot be created: %s', async (name) => {
    const { client } = await started();
    const create = client.send(new CreateStreamCommand({ StreamName: name, ShardCount: 1 }));
    await expect(create).rejects.toMatchObject({
      name: 'InvalidArgumentException',
      message: `The local endpoint cannot create a stream with the name ${name}; use another name.`,
    });
  });

  it.each(['filter', 'length'])('is not found by PutRecord and PutRecords: %s', async (name) => {
    const { client } = await started();
    for (const command of [
      new PutRecordCommand({ StreamName: name, ...record }),
      new PutRecordsCommand({ StreamName: name, Records: [record] }),
    ])
      await expect(client.send(command as PutRecordCommand)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    await client.send(new PutRecordCommand({ StreamName, ...record }));
  });
});

describe('a PutRecords request', () => {
  const mebibyte = 1024 * 1024;
  // The partition keys of the ten records take up ten bytes.
  const records = (size: number) =>
    Array.from({ length: 10 }, () => ({ PartitionKey: 'k', Data: Buffer.alloc(size) }));

  it('can contain 10 MiB of data and partition keys', async () => {
    const { client } = await started();
    const Records = records(mebibyte - 1);
    const answer = await client.send(new PutRecordsCommand({ StreamName, Records }));
    expect(answer.FailedRecordCount).toBe(0);
  });

  it.each([
    ['by the size of the partition keys', records(mebibyte)],
    ['by far', [...records(mebibyte), ...records(mebibyte)]],
  ])('is rejected if it exceeds 10 MiB %s', async (_, Records) => {
    const { client } = await started();
    const refused = client.send(new PutRecordsCommand({ StreamName, Records }));
    await expect(refused).rejects.toMatchObject({
      name: 'InvalidArgumentException',
      message: 'Records size exceeds 10 MB limit',
    });
  });
});

describe('an operation that the Kinesis endpoint does not support', () => {
  const position = { Type: 'LATEST' } as const;
  it.each([
    [
      'SubscribeToShard',
      new SubscribeToShardCommand({
        ConsumerARN: `${StreamARN}/consumer/c:1`,
        ShardId: 'shardId-000000000000',
        StartingPosition: position,
      }),
      'Use GetShardIterator and GetRecords',
    ],
    [
      'RegisterStreamConsumer',
      new RegisterStreamConsumerCommand({ StreamARN, ConsumerName: 'c' }),
      'enhanced fan-out is available only in AWS',
    ],
    [
      'UpdateStreamMode',
      new UpdateStreamModeCommand({ StreamARN, StreamModeDetails: { StreamMode: 'ON_DEMAND' } }),
      'It supports PutRecord, PutRecords,',
    ],
  ])('is rejected with an explanation: %s', async (name, command, advice) => {
    const { client } = await started();
    const refused = client.send(command as UpdateStreamModeCommand);
    await expect(refused).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: expect.stringMatching(
        `^The local Kinesis endpoint does not support ${name}\\..*${advice}`,
      ),
    });
  });

  it('is rejected with an explanation if more text follows its name', async () => {
    const { endpoint } = await started();
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'X-Amz-Target': `Kinesis_20131202.PutRecord.${'a'.repeat(100)}` },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('does not support PutRecord.aaa');
  });

  it('is rejected with an explanation if it belongs to another service', async () => {
    const { endpoint } = await started();
    const refused = dynamoDbOf(endpoint).send(new ListTablesCommand({}));
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining(
        'DynamoDB_20120810.ListTables is not an operation of Kinesis',
      ),
    });
  });
});
