import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { ChangeRecord } from '../../../../src/aws-local/dynamodb/change-streams/change-record.ts';
import { startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, kill, temporaryFolder } from '../support.ts';
import {
  createTable,
  type Item,
  readShard,
  readStream,
  sequenceNumberOf,
  startDatabase,
} from './support.ts';

const TableName = 'orders';

const item = (pk: string, value: number): Item => ({
  pk: { S: pk },
  sk: { S: 's' },
  // The index contains half of the items.
  ...(value % 2 === 0 && { group: { S: `group-${value % 3}` } }),
  value: { N: `${value}` },
});

/** Applies records to an empty table. Throws if a record's old image is not the item's current state. */
function replay(records: readonly ChangeRecord[]): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const { eventName, dynamodb } of records) {
    const pk = dynamodb.Keys['pk']?.S ?? '';
    expect(dynamodb.OldImage).toEqual(items.get(pk));
    expect(eventName === 'INSERT').toBe(!items.has(pk));
    expect(eventName === 'REMOVE').toBe(dynamodb.NewImage === undefined);
    if (dynamodb.NewImage) items.set(pk, dynamodb.NewImage);
    else items.delete(pk);
  }
  return items;
}

/** Changes an item repeatedly until a request fails. */
async function change(client: DynamoDBClient, pk: string, counted: () => void): Promise<void> {
  for (let n = 1; ; n += 1) {
    if (n % 7 === 0)
      await client.send(
        new DeleteItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: 's' } } }),
      );
    else if (n % 3 === 0) {
      const requests = [pk, `${pk}-other`].map((each) => ({
        PutRequest: { Item: item(each, n) },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    } else await client.send(new PutItemCommand({ TableName, Item: item(pk, n) }));
    counted();
  }
}

describe('after kill -9 during writes', () => {
  it('replaying the records of a stream yields exactly the items of its table', async () => {
    const dataFolder = await temporaryFolder();
    let arn = '';
    for (let round = 0; round < 3; round += 1) {
      const maintenance = { intervalMs: 5, shardLifetimeMs: 100 };
      const endpoint = await startDynamoDb({ port: 0, dataFolder, maintenance });
      const client = dynamoDbOf(endpoint);
      if (round === 0) arn = await createTable(client, TableName, 'NEW_AND_OLD_IMAGES', 'group');
      let changes = 0;
      const lanes = Promise.allSettled(
        Array.from({ length: 12 }, (_, lane) =>
          change(client, `item-${round}-${lane}`, () => (changes += 1)),
        ),
      );
      await vi.waitFor(() => expect(changes).toBeGreaterThan(150), 20_000);
      await kill(endpoint);
      await lanes;
      client.destroy();
    }

    const { client, streams } = await startDatabase({ shardLifetimeMs: 3_600_000 }, dataFolder);
    const records = await readStream(streams, arn);
    expect(records.length).toBeGreaterThan(450);
    expect(new Set(records.map(sequenceNumberOf)).size).toBe(records.length);
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    const items = new Map(Items.map((each) => [each['pk']?.S ?? '', each]));
    expect(replay(records)).toEqual(items);

    const { Shards } = await streams.describeStream({ StreamArn: arn });
    expect(Shards.length).toBeGreaterThan(4);
    for (const { ShardId, SequenceNumberRange: range } of Shards) {
      const request = { StreamArn: arn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
      const numbers = (await readShard(streams, request)).map(sequenceNumberOf);
      const end = BigInt(range.EndingSequenceNumber ?? '9'.repeat(40));
      expect(numbers.every((number) => number <= end)).toBe(true);
      expect(numbers).toEqual(numbers.toSorted((a, b) => (a < b ? -1 : 1)));
    }
    await client.send(new PutItemCommand({ TableName, Item: item('last', 1) }));
    const latest = (await readStream(streams, arn)).at(-1);
    expect(latest?.dynamodb.Keys['pk']?.S).toBe('last');
  });

  it('the stream of a table contains the changes before and after the kill', async () => {
    const dataFolder = await temporaryFolder();
    const endpoint = await startDynamoDb({ port: 0, dataFolder });
    const before = dynamoDbOf(endpoint);
    const arn = await createTable(before, TableName, 'KEYS_ONLY');
    await before.send(new PutItemCommand({ TableName, Item: item('a', 1) }));
    await kill(endpoint);
    const { client, streams } = await startDatabase(undefined, dataFolder);
    await client.send(new PutItemCommand({ TableName, Item: item('b', 1) }));
    const records = await readStream(streams, arn);
    expect(records.map(({ dynamodb }) => dynamodb.Keys['pk']?.S)).toEqual(['a', 'b']);
  });
});
