// The stream that the Kinesis measurements use.
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  PutRecordCommand,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Running, settings } from './support.ts';

export const StreamName = 'milepost-events';
export const WIDTH = 32;
const event = (id: string) =>
  new TextEncoder().encode(
    JSON.stringify({ specversion: '1.0', id, type: 'account.created', modelid: 'activation' }),
  );
const idOf = (data: Uint8Array | undefined) =>
  (JSON.parse(new TextDecoder().decode(data)) as { id: string }).id;

export function clientOf(running: Running): KinesisClient {
  return new KinesisClient({
    ...settings,
    endpoint: running.url,
    maxAttempts: 1,
    // The endpoints do not support HTTP/2, which the client uses by default.
    requestHandler: new NodeHttpHandler({ httpAgent: { keepAlive: true, maxSockets: WIDTH } }),
  });
}

export async function createStream(client: KinesisClient): Promise<void> {
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 4 }));
  await active(client);
}

export async function active(client: KinesisClient): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const summary = await client.send(new DescribeStreamSummaryCommand({ StreamName }));
    if (summary.StreamDescriptionSummary?.StreamStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the stream did not become active');
}

export async function shards(client: KinesisClient) {
  return (await client.send(new ListShardsCommand({ StreamName }))).Shards ?? [];
}

export async function iterator(
  client: KinesisClient,
  ShardId: string,
  after?: string,
): Promise<string> {
  const { ShardIterator = '' } = await client.send(
    new GetShardIteratorCommand({
      StreamName,
      ShardId,
      ...(after === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: after }),
    }),
  );
  return ShardIterator;
}

export interface Read {
  readonly id: string;
  readonly sequence: string;
}

/** Reads from an iterator until three consecutive responses are empty or the shard is closed. */
export async function read(client: KinesisClient, from: string, Limit = 1000) {
  const records: Read[] = [];
  let next: string | undefined = from;
  for (let empty = 0; next !== undefined && empty < 3; ) {
    const page: {
      Records?: { Data?: Uint8Array; SequenceNumber?: string }[];
      NextShardIterator?: string;
    } = await client.send(new GetRecordsCommand({ ShardIterator: next, Limit }));
    for (const { Data, SequenceNumber = '' } of page.Records ?? []) {
      records.push({ id: idOf(Data), sequence: SequenceNumber });
    }
    empty = page.Records?.length ? 0 : empty + 1;
    next = page.NextShardIterator;
  }
  return { records, closed: next === undefined };
}

export const put = (client: KinesisClient, id: string) =>
  client.send(new PutRecordCommand({ StreamName, PartitionKey: id, Data: event(id) }));

export const putMany = (client: KinesisClient, ids: readonly string[]) =>
  client.send(
    new PutRecordsCommand({
      StreamName,
      Records: ids.map((id) => ({ PartitionKey: id, Data: event(id) })),
    }),
  );
