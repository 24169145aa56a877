import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  type StreamViewType,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createTable, type Database, type Item, readStream, startDatabase } from './support.ts';

const TableName = 'orders';
const key = (pk: string): Item => ({ pk: { S: pk }, sk: { S: 's' } });
const item = (pk: string, value: string): Item => ({ ...key(pk), value: { S: value } });

function put({ client }: Database, Item: Item) {
  return client.send(new PutItemCommand({ TableName, Item }));
}

async function streamed(viewType: StreamViewType = 'NEW_AND_OLD_IMAGES', index?: string) {
  const database = await startDatabase();
  const arn = await createTable(database.client, TableName, viewType, index);
  return { ...database, arn, changes: () => readStream(database.streams, arn) };
}

describe('the records of a change stream', () => {
  it.each<[StreamViewType, boolean, boolean]>([
    ['KEYS_ONLY', false, false],
    ['NEW_IMAGE', true, false],
    ['OLD_IMAGE', false, true],
    ['NEW_AND_OLD_IMAGES', true, true],
  ])('contain the images of the view type %s', async (viewType, hasNew, hasOld) => {
    const database = await streamed(viewType);
    await put(database, item('a', '1'));
    await put(database, item('a', '2'));
    await database.client.send(new DeleteItemCommand({ TableName, Key: key('a') }));
    const [inserted, modified, removed, ...others] = await database.changes();
    expect(others).toEqual([]);
    const [one, two] = [item('a', '1'), item('a', '2')];
    const common = { Keys: key('a'), StreamViewType: viewType };
    expect(inserted).toMatchObject({ eventName: 'INSERT', dynamodb: common });
    expect(inserted?.dynamodb.NewImage).toEqual(hasNew ? one : undefined);
    expect(inserted?.dynamodb.OldImage).toBeUndefined();
    expect(modified).toMatchObject({ eventName: 'MODIFY', dynamodb: common });
    expect(modified?.dynamodb.NewImage).toEqual(hasNew ? two : undefined);
    expect(modified?.dynamodb.OldImage).toEqual(hasOld ? one : undefined);
    expect(removed).toMatchObject({ eventName: 'REMOVE', dynamodb: common });
    expect(removed?.dynamodb.NewImage).toBeUndefined();
    expect(removed?.dynamodb.OldImage).toEqual(hasOld ? two : undefined);
  });

  it('contain an id, a time, a size, and an increasing sequence number', async () => {
    const database = await streamed();
    const before = Math.floor(Date.now() / 1_000);
    for (const value of ['1', '2']) await put(database, item('a', value));
    const records = await database.changes();
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(2);
    const [first, second] = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    expect(first).toMatch(/^\d{21,40}$/);
    expect(BigInt(second!)).toBeGreaterThan(BigInt(first!));
    expect(records[0]).toMatchObject({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
    });
    const { ApproximateCreationDateTime: at, SizeBytes } = records[0]!.dynamodb;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now() / 1_000);
    // The size is the sum of 6 bytes for the keys and 12 bytes for the new image.
    expect(SizeBytes).toBe(18);
    expect(records[0]).not.toHaveProperty('userIdentity');
  });

  it('are written by every operation that changes an item', async () => {
    const database = await streamed('NEW_AND_OLD_IMAGES', 'value');
    const { client } = database;
    const update = (Key: Item, value: string) =>
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #v = :v',
        ExpressionAttributeNames: { '#v': 'value' },
        ExpressionAttributeValues: { ':v': { S: value } },
      });
    await client.send(update(key('update'), '1'));
    await client.send(update(key('update'), '2'));
    const RequestItems = (...requests: object[]) => ({ [TableName]: requests });
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: RequestItems({ PutRequest: { Item: item('batch', '1') } }),
      }),
    );
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: RequestItems({ DeleteRequest: { Key: key('batch') } }),
      }),
    );
    const Statements = [
      {
        Statement: `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'value': ?}`,
        Parameters: [{ S: 'statement' }, { S: 's' }, { S: '1' }],
      },
    ];
    await client.send(new BatchExecuteStatementCommand({ Statements }));
    const changes = await database.changes();
    expect(changes.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys['pk']?.S])).toEqual([
      ['INSERT', 'update'],
      ['MODIFY', 'update'],
      ['INSERT', 'batch'],
      ['REMOVE', 'batch'],
      ['INSERT', 'statement'],
    ]);
    expect(changes.map(({ dynamodb }) => dynamodb.NewImage?.['value']?.S)).toEqual([
      '1',
      '2',
      '1',
      undefined,
      '1',
    ]);
  });

  it('are not written if the item does not change', async () => {
    const database = await streamed();
    const { client } = database;
    const nested = (n: string): AttributeValue => ({
      M: { list: { L: [{ N: n }, { NULL: true }] } },
    });
    const full: Item = { ...item('a', '1'), nested: nested('1'), tags: { SS: ['x', 'y'] } };
    await put(database, full);
    await put(database, { tags: { SS: ['y', 'x'] }, nested: nested('1'), ...item('a', '1') });
    await client.send(new DeleteItemCommand({ TableName, Key: key('missing') }));
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(
      client.send(new PutItemCommand({ TableName, Item: item('a', '2'), ...condition })),
    ).rejects.toThrow(/conditional request failed/);
    expect(await database.changes()).toHaveLength(1);
    await put(database, { ...full, nested: nested('2') });
    await put(database, item('a', '1'));
    expect(await database.changes()).toHaveLength(3);
  });

  it('are distributed over two shards, with the records of each partition key in one shard', async () => {
    const database = await streamed('KEYS_ONLY');
    const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`);
    for (const value of ['1', '2']) for (const pk of keys) await put(database, item(pk, value));
    const { Shards } = await database.streams.describeStream({ StreamArn: database.arn });
    expect(Shards).toHaveLength(2);
    const perShard = await Promise.all(
      Shards.map(async ({ ShardId }) => {
        const ShardIterator = await database.streams.getShardIterator({
          StreamArn: database.arn,
          ShardId,
          ShardIteratorType: 'TRIM_HORIZON',
        });
        const { Records } = await database.streams.getRecords({ ShardIterator });
        return Records.map(({ dynamodb }) => dynamodb.Keys['pk']?.S);
      }),
    );
    const [left, right] = perShard.map((each) => new Set(each));
    expect(left!.size).toBeGreaterThan(0);
    expect(right!.size).toBeGreaterThan(0);
    for (const pk of left!) expect(right).not.toContain(pk);
    expect(left!.size + right!.size).toBe(20);
    expect(perShard.flat()).toHaveLength(40);
  });
});
