import {
  type AttributeValue,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import { onTestFinished, vi } from 'vitest';
import type { ChangeRecord } from '../../../../src/aws-local/dynamodb/change-streams/change-record.ts';
import type { Maintenance } from '../../../../src/aws-local/endpoints/endpoint.ts';
import { type Endpoint, startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import {
  DynamoDbStreamsClient,
  type ShardIteratorRequest,
} from '../../../../src/aws-local/event-source/dynamodb-streams-client.ts';
import { dynamoDbOf, running } from '../support.ts';

export type Item = Record<string, AttributeValue>;

export interface Database {
  readonly endpoint: Endpoint;
  readonly client: DynamoDBClient;
  readonly streams: DynamoDbStreamsClient;
}

/** Starts a DynamoDB endpoint, which is closed when the test ends. */
export async function startDatabase(
  maintenance?: Maintenance,
  dataFolder: string | null = null,
): Promise<Database> {
  const endpoint = await running(startDynamoDb({ port: 0, dataFolder, maintenance }));
  const client = dynamoDbOf(endpoint);
  onTestFinished(() => client.destroy());
  return { endpoint, client, streams: new DynamoDbStreamsClient(endpoint.url) };
}

/** Creates a table with the keys `pk` and `sk`, and waits until it is active. Returns the ARN of its stream. */
export async function createTable(
  client: DynamoDBClient,
  TableName: string,
  StreamViewType?: StreamViewType,
  index?: string,
): Promise<string> {
  const names = ['pk', 'sk', ...(index === undefined ? [] : [index])];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes:
        index === undefined
          ? undefined
          : [
              {
                IndexName: index,
                KeySchema: [{ AttributeName: index, KeyType: 'HASH' }],
                Projection: { ProjectionType: 'ALL' },
              },
            ],
      StreamSpecification: StreamViewType && { StreamEnabled: true, StreamViewType },
    }),
  );
  await vi.waitFor(async () => {
    const status = (await describeTable(client, TableName))?.TableStatus;
    if (status !== 'ACTIVE') throw new Error(`the table is ${status}`);
  });
  return (await describeTable(client, TableName))?.LatestStreamArn ?? '';
}

export async function describeTable(client: DynamoDBClient, TableName: string) {
  return (await client.send(new DescribeTableCommand({ TableName }))).Table;
}

/** Reads a shard page by page, from a position to the end of the shard or to its latest record. */
export async function readShard(
  streams: DynamoDbStreamsClient,
  request: ShardIteratorRequest,
  Limit = 1_000,
): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  let ShardIterator: string | undefined = await streams.getShardIterator(request);
  while (ShardIterator !== undefined) {
    const page = await streams.getRecords({ ShardIterator, Limit });
    records.push(...page.Records);
    if (page.Records.length === 0) break;
    ShardIterator = page.NextShardIterator;
  }
  return records;
}

/** Reads all shards of a stream. Returns the records of all shards in the order of their sequence numbers. */
export async function readStream(
  streams: DynamoDbStreamsClient,
  StreamArn: string,
  Limit?: number,
): Promise<ChangeRecord[]> {
  const { Shards } = await streams.describeStream({ StreamArn });
  const all = await Promise.all(
    Shards.map(({ ShardId }) =>
      readShard(streams, { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }, Limit),
    ),
  );
  return all.flat().toSorted((a, b) => (sequenceNumberOf(a) < sequenceNumberOf(b) ? -1 : 1));
}

export const keyOf = ({ dynamodb }: ChangeRecord): string => dynamodb.Keys['pk']?.S ?? '';

export const sequenceNumberOf = ({ dynamodb }: ChangeRecord) => BigInt(dynamodb.SequenceNumber);
