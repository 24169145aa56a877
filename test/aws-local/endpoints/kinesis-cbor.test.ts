import {
  CreateStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  PutRecordCommand,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { cbor, tag } from '@smithy/core/cbor';
import { describe, expect, it } from 'vitest';
import { type Endpoint, startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { kinesisOf, running } from './support.ts';

const StreamName = 'events';
const ShardId = 'shardId-000000000000';

/** Sends a request as the AWS SDK for Java does, and decodes the response. */
async function sendCbor({ url }: Endpoint, operation: string, body: object | Uint8Array) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-cbor-1.1',
      'x-amz-target': `Kinesis_20131202.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/kinesis/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: Buffer.from(body instanceof Uint8Array ? body : cbor.serialize(body)),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    body: bytes.length === 0 ? undefined : cbor.deserialize(bytes),
  };
}

async function iteratorOf(client: KinesisClient): Promise<string> {
  const input = { StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
  return (await client.send(new GetShardIteratorCommand(input))).ShardIterator ?? '';
}

/** Reads all records with JSON requests. Returns their data. */
async function dataOf(client: KinesisClient): Promise<string[]> {
  const ShardIterator = await iteratorOf(client);
  const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
  return Records.map(({ Data }) => {
    expect(Data).toBeInstanceOf(Uint8Array);
    return Buffer.from(Data ?? []).toString();
  });
}

async function started(): Promise<{ endpoint: Endpoint; client: KinesisClient }> {
  const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
  const client = kinesisOf(endpoint);
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  return { endpoint, client };
}

const textRecord = (text: string) => ({ PartitionKey: text, Data: Buffer.from(text) });

describe('the Kinesis endpoint with CBOR requests', () => {
  it('stores the same bytes as with JSON requests', async () => {
    const { endpoint, client } = await started();

    const one = await sendCbor(endpoint, 'PutRecord', { StreamName, ...textRecord('one') });
    const many = await sendCbor(endpoint, 'PutRecords', {
      StreamName,
      Records: [textRecord('two'), textRecord('three')],
    });

    expect(one).toMatchObject({ status: 200, body: { ShardId } });
    expect(many).toMatchObject({ status: 200, body: { FailedRecordCount: 0 } });
    expect(await dataOf(client)).toEqual(['one', 'two', 'three']);
  });

  it("returns data as bytes, regardless of the producer's encoding, and times in milliseconds", async () => {
    const { endpoint, client } = await started();
    const before = Date.now();
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await client.send(new PutRecordCommand({ StreamName, PartitionKey: 'json', Data: every }));
    await sendCbor(endpoint, 'PutRecord', { StreamName, PartitionKey: 'cbor', Data: every });

    const ShardIterator = await iteratorOf(client);
    const { status, type, body } = await sendCbor(endpoint, 'GetRecords', { ShardIterator });

    expect({ status, type }).toEqual({ status: 200, type: 'application/x-amz-cbor-1.1' });
    expect(body.Records).toHaveLength(2);
    for (const { Data, ApproximateArrivalTimestamp } of body.Records) {
      expect(Buffer.from(Data).equals(every)).toBe(true);
      expect(ApproximateArrivalTimestamp.tag).toBe(1);
      expect(ApproximateArrivalTimestamp.value).toBeGreaterThanOrEqual(before);
      expect(ApproximateArrivalTimestamp.value).toBeLessThanOrEqual(Date.now());
    }
  });

  it('accepts times in milliseconds, as the Java SDK sends them', async () => {
    const { endpoint, client } = await started();
    await client.send(new PutRecordsCommand({ StreamName, Records: [textRecord('there')] }));

    const iteratorAt = async (time: number) => {
      const Timestamp = tag({ tag: 1, value: time });
      const input = { StreamName, ShardId, ShardIteratorType: 'AT_TIMESTAMP', Timestamp };
      return sendCbor(endpoint, 'GetShardIterator', input);
    };
    const { body } = await iteratorAt(Date.now() - 60_000);
    const found = await sendCbor(endpoint, 'GetRecords', { ShardIterator: body.ShardIterator });

    expect(found.body.Records).toHaveLength(1);
  });

  it('accepts maps of indefinite length, as the Java SDK writes them', async () => {
    const { endpoint, client } = await started();
    const text = (value: string) =>
      Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
    const bytes = (value: string) =>
      Buffer.concat([Buffer.of(0x40 + value.length), Buffer.from(value)]);
    const members = [
      ...[text('StreamName'), text(StreamName)],
      ...[text('PartitionKey'), text('k')],
      ...[text('Data'), bytes('indefinite')],
    ];

    const request = Buffer.concat([Buffer.of(0xbf), ...members, Buffer.of(0xff)]);

    expect((await sendCbor(endpoint, 'PutRecord', request)).status).toBe(200);
    expect(await dataOf(client)).toEqual(['indefinite']);
  });

  it('returns errors in CBOR and keeps running after an invalid request', async () => {
    const { endpoint, client } = await started();

    const unknown = { StreamName: 'unknown', ...textRecord('x') };
    expect(await sendCbor(endpoint, 'PutRecord', unknown)).toMatchObject({
      status: 400,
      type: 'application/x-amz-cbor-1.1',
      body: { __type: 'ResourceNotFoundException' },
    });
    const bigNumber = Buffer.from([0xc2, 0x5a, 0, 0x20, 0, 0, ...Buffer.alloc(2 ** 21, 1)]);
    for (const broken of [
      ...[Buffer.of(0xbf), Buffer.of(0x5b, 0xff), Buffer.of(0x01), Buffer.of(0xff)],
      bigNumber, // Decoding this number would take many minutes.
    ])
      expect(await sendCbor(endpoint, 'PutRecord', broken)).toMatchObject({
        status: 400,
        body: { __type: 'SerializationException' },
      });
    expect(await dataOf(client)).toEqual([]);
  });
});
