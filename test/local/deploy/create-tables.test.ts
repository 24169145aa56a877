import {
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import { createTables } from '../../../src/local/deploy/create-tables.ts';
import { dynamoDbClient } from '../../../src/local/running/aws-clients.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbClient(endpoint.url);
});
afterAll(async () => {
  client.destroy();
  await endpoint.close();
});

const table = (TableName: string, sort = 'sk', index = 'by-time'): CreateTableCommandInput => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', sort].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: index,
      KeySchema: [{ AttributeName: sort, KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
});

describe('createTables', () => {
  it('creates missing tables and keeps existing tables with their items', async () => {
    const tables = [table('one'), table('two')];
    expect(await createTables(client, tables)).toBe(true);
    expect(await createTables(client, tables)).toBe(false);
    const Item = { pk: { S: 'a' }, sk: { S: 'b' } };
    await client.send(new PutItemCommand({ TableName: 'one', Item }));
    expect(await createTables(client, [...tables, table('three')])).toBe(true);
    expect((await client.send(new ListTablesCommand())).TableNames).toEqual([
      'one',
      'three',
      'two',
    ]);
    expect((await client.send(new ScanCommand({ TableName: 'one' }))).Items).toEqual([Item]);
  });

  it.each([
    ['different keys', table('kept', 'other')],
    ['different indexes', table('kept', 'sk', 'by-name')],
    ['a different number of indexes', { ...table('kept'), GlobalSecondaryIndexes: undefined }],
  ])('rejects an existing table with %s', async (_, other) => {
    await createTables(client, [table('kept')]);
    const refused = createTables(client, [other]);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow('its table kept has different keys');
  });

  it('passes on errors from the database', async () => {
    await expect(createTables(client, [{ ...table('x'), TableName: 'no name!' }])).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });

  it('enables, replaces, and disables the stream of a table', async () => {
    const streamed = (StreamViewType?: StreamViewType) => ({
      ...table('streamed'),
      StreamSpecification: StreamViewType && { StreamEnabled: true, StreamViewType },
    });
    const describeStream = async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: 'streamed' }));
      return [Table?.StreamSpecification?.StreamViewType, Table?.LatestStreamArn] as const;
    };
    await createTables(client, [streamed('NEW_IMAGE')]);
    const [viewType, first] = await describeStream();
    expect(viewType).toBe('NEW_IMAGE');
    await createTables(client, [streamed('NEW_IMAGE')]);
    expect(await describeStream()).toEqual(['NEW_IMAGE', first]);
    await createTables(client, [streamed('KEYS_ONLY')]);
    const [changed, second] = await describeStream();
    expect(changed).toBe('KEYS_ONLY');
    expect(second).not.toBe(first);
    await createTables(client, [streamed()]);
    expect(await describeStream()).toEqual([undefined, second]);
    await createTables(client, [streamed('NEW_IMAGE')]);
    expect((await describeStream())[0]).toBe('NEW_IMAGE');
  });

  it('sets, changes, and removes the expiry of items', async () => {
    const expiring = (timeToLiveAttribute?: string) => [
      { ...table('expiring'), timeToLiveAttribute },
    ];
    const describeExpiry = async () =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName: 'expiring' })))
        .TimeToLiveDescription?.AttributeName;
    for (const attribute of ['expiresAt', 'expiresAt', 'deleteAt', undefined, undefined]) {
      await createTables(client, expiring(attribute));
      expect(await describeExpiry()).toBe(attribute);
    }
  });
});
