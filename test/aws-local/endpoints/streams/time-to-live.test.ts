import {
  type AttributeValue,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, kill, temporaryFolder } from '../support.ts';
import { createTable, keyOf, readStream, startDatabase } from './support.ts';

const TableName = 'letters';
const maintenance = { intervalMs: 20 };
const now = () => Math.floor(Date.now() / 1_000);
const year = 365 * 24 * 3_600;

function put(client: DynamoDBClient, pk: string, expiresAt?: AttributeValue) {
  const Item = { pk: { S: pk }, sk: { S: 's' }, ...(expiresAt && { expiresAt }) };
  return client.send(new PutItemCommand({ TableName, Item }));
}

function setExpiry(client: DynamoDBClient, Enabled: boolean, AttributeName = 'expiresAt') {
  const TimeToLiveSpecification = { Enabled, AttributeName };
  return client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function describeExpiry(client: DynamoDBClient) {
  return (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
}

async function keysIn(client: DynamoDBClient) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items.map((item) => item['pk']?.S ?? '').toSorted();
}

const enabled = { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' };

describe('the time to live of items', () => {
  it('deletes expired items, with change records that name the service', async () => {
    const { client, streams } = await startDatabase(maintenance);
    const arn = await createTable(client, TableName, 'NEW_AND_OLD_IMAGES');
    await put(client, 'before', { N: `${now() - 10}` });
    await setExpiry(client, true);
    expect(await describeExpiry(client)).toEqual(enabled);
    await put(client, 'past', { N: `${now() - 10}` });
    await put(client, 'future', { N: `${now() + 1_000}` });
    await put(client, 'ancient', { N: `${now() - 6 * year}` });
    await put(client, 'text', { S: `${now() - 10}` });
    await put(client, 'without');
    await vi.waitFor(async () => {
      expect(await keysIn(client)).toEqual(['ancient', 'future', 'text', 'without']);
    }, 10_000);
    const records = await readStream(streams, arn);
    const removed = records.filter(({ eventName }) => eventName === 'REMOVE');
    expect(removed.map(keyOf).toSorted()).toEqual(['before', 'past']);
    for (const { userIdentity, dynamodb } of removed) {
      expect(userIdentity).toEqual({ PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' });
      expect(dynamodb.OldImage?.['expiresAt']?.N).toBeDefined();
    }
  });

  it('deletes items when they expire, unless their expiry is extended', async () => {
    const { client } = await startDatabase(maintenance);
    await createTable(client, TableName);
    await setExpiry(client, true);
    await put(client, 'soon', { N: `${now() + 1}` });
    await put(client, 'extended', { N: `${now() + 1}` });
    await put(client, 'extended', { N: `${now() + 1_000}` });
    await vi.waitFor(async () => expect(await keysIn(client)).toEqual(['extended']), 10_000);
  });

  it('remains enabled after kill -9 and ends when the table is deleted', async () => {
    const dataFolder = await temporaryFolder();
    const endpoint = await startDynamoDb({ port: 0, dataFolder });
    const before = dynamoDbOf(endpoint);
    await createTable(before, TableName);
    await setExpiry(before, true);
    await put(before, 'past', { N: `${now() - 10}` });
    await kill(endpoint);
    const { client } = await startDatabase(maintenance, dataFolder);
    expect(await describeExpiry(client)).toEqual(enabled);
    await vi.waitFor(async () => expect(await keysIn(client)).toEqual([]), 10_000);
    await client.send(new DeleteTableCommand({ TableName }));
    await vi.waitFor(() => expect(describeExpiry(client)).rejects.toThrow(/not found/), 10_000);
    await createTable(client, TableName);
    expect(await describeExpiry(client)).toEqual({ TimeToLiveStatus: 'DISABLED' });
  });

  it('deletes no items after it is disabled', async () => {
    const { client } = await startDatabase(maintenance);
    await createTable(client, TableName);
    await setExpiry(client, true);
    await setExpiry(client, false);
    expect(await describeExpiry(client)).toEqual({ TimeToLiveStatus: 'DISABLED' });
    await put(client, 'past', { N: `${now() - 10}` });
    await setExpiry(client, true, 'other');
    await client.send(
      new PutItemCommand({
        TableName,
        Item: { pk: { S: 'other' }, sk: { S: 's' }, other: { N: `${now() - 10}` } },
      }),
    );
    await vi.waitFor(async () => expect(await keysIn(client)).toEqual(['past']), 10_000);
  });

  it('rejects invalid changes, such as changes without an effect', async () => {
    const { client } = await startDatabase();
    await expect(setExpiry(client, true)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await createTable(client, TableName);
    await expect(setExpiry(client, false)).rejects.toThrow(/already disabled/);
    await setExpiry(client, true);
    await expect(setExpiry(client, true)).rejects.toThrow(/already enabled/);
    await expect(setExpiry(client, false, 'other')).rejects.toThrow(/different AttributeName/);
  });
});
