import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { commitKey } from '../../../src/aws/instances/instance-keys.ts';
import { DynamoDbEventFinder } from '../../../src/aws/lists/dynamodb-event-finder.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';
import { type Database, startDatabase } from '../tables.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it('DynamoDbEventFinder finds events in plain and in compressed commits', async () => {
  const { instances } = await database.newTables();
  const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
  const key = (transaction: string) => ({ model: 'orders', transaction });
  const long = JSON.stringify({ text: 'x'.repeat(5_000) });
  await store.commit([
    commitOf(key('A'), 1, { entries: [entryOf(key('A'), {}, 'a "quoted" id')] }),
    commitOf(key('B'), 1, {
      entries: ['b1', 'b2', 'b3'].map((id) => entryOf(key('B'), { data: long }, id)),
    }),
  ]);
  const finder = new DynamoDbEventFinder(database.dynamoDb, instances, { now: () => 0 });
  const find = async (id: string) => {
    const found = await finder.find(id, { until: 1 });
    expect(found.cursor).toBeUndefined();
    return found.events.map((event) => `${event.transaction}: ${event.id}`);
  };
  expect(await find('a "quoted" id')).toEqual(['A: a "quoted" id']);
  expect(await find('b3')).toEqual(['B: b3']);
  expect(await find('b')).toEqual([]);
});

it('DynamoDbEventFinder continues after a damaged commit', async () => {
  const { instances } = await database.newTables();
  const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
  const keys = ['A', 'B', 'C'].map((transaction) => ({ model: 'orders', transaction }));
  await store.commit(keys.map((key) => commitOf(key, 1, { entries: [entryOf(key, {}, 'e7')] })));
  await database.dynamoDb.updateItem({
    TableName: instances,
    Key: { pk: { S: 'orders#B' }, sk: { S: commitKey(1) } },
    UpdateExpression: 'SET packed = :damaged',
    ExpressionAttributeValues: { ':damaged': { B: Buffer.from('damaged') } },
  });
  const finder = new DynamoDbEventFinder(database.dynamoDb, instances, { now: () => 0 });
  const { events } = await finder.find('e7', { until: 1 });
  expect(events.map(({ transaction }) => transaction).toSorted()).toEqual(['A', 'C']);
});
