import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { DynamoDbParkingStore } from '../../src/aws/dynamodb-parking-store.ts';
import { partitionOf, statusKey } from '../../src/aws/instance-keys.ts';
import type { ParkedEvent } from '../../src/service/ports.ts';
import { placed } from '../support/events.ts';
import { MemoryDynamoDb } from '../support/memory-dynamodb.ts';

const instance = { model: 'counter', transaction: 'T1' };
let database: MemoryDynamoDb;
let store: DynamoDbParkingStore;

beforeEach(() => {
  database = new MemoryDynamoDb({ instances: {} });
  store = new DynamoDbParkingStore(database.dynamoDb, 'instances');
});

const parked = (place: number, reason = 'broken'): ParkedEvent => ({
  ...placed(place, { id: `e${place}` }),
  reason,
  fault: false,
  at: '2026-01-01T00:00:00.000Z',
  letterId: `letter-${place}`,
});

async function counted(): Promise<string | undefined> {
  const Key = { pk: { S: partitionOf(instance) }, sk: { S: statusKey } };
  const { Item } = await database.dynamoDb.getItem({ TableName: 'instances', Key });
  return Item?.parked?.N;
}

it('says anew why an event is parked, and brings none back that was taken out', async () => {
  await store.park(parked(1));
  await store.replace(parked(1, 'still broken'));
  await store.replace(parked(2));
  expect(await store.oldest(instance, 9)).toStrictEqual([parked(1, 'still broken')]);
  expect(await store.has(instance, parked(1).position)).toBe(true);
  expect(await store.has(instance, parked(2).position)).toBe(false);
});

it('counts those that are not about to leave', async () => {
  for (const place of [1, 2, 3]) await store.park(parked(place));
  await store.writeCount(instance);
  expect(await counted()).toBe('3');
  await store.writeCount(instance, { leaving: 2 });
  expect(await counted()).toBe('1');
});

it('has the right count in the end though others park while it is written', async () => {
  await store.park(parked(1));
  const send = database.send.bind(database);
  let place = 1;
  const interfering: typeof send = async (command) => {
    // Between the counting and the writing.
    if (command instanceof UpdateItemCommand && place < 4) {
      place++;
      database.send = send;
      await store.announce(instance, String(place));
      database.send = interfering;
      await store.park(parked(place));
    }
    return send(command);
  };
  database.send = interfering;
  await store.writeCount(instance);
  expect(await counted()).toBe('4');
});
