import db, { type Store } from 'dynalite/db/index.js';
import { expect, it } from 'vitest';
import { createDynalite } from '../../../src/aws-local/dynamodb/dynalite-store.ts';
import { operationsOfWrite } from '../../../src/aws-local/dynamodb/optimize-store.ts';
import { TimeToLive } from '../../../src/aws-local/dynamodb/time-to-live/time-to-live.ts';

const TableName = 'table';
const day = 24 * 60 * 60;
const now = Date.UTC(2026, 0, 1) / 1_000;

/** Stores an item with the given expiry, and counts the scans of its table. */
async function setUp(expiry: number) {
  const { store } = createDynalite(null);
  const timeToLive = new TimeToLive(store, {
    clock: { now: () => now * 1_000 },
    onExpiry: () => {},
  });
  const table = {
    TableName,
    TableStatus: 'ACTIVE' as const,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  };
  await done((callback) => store.tableDb.put(TableName, table, callback));
  const item = { pk: { S: 'a' }, expires: { N: String(expiry) } };
  const operations = operationsOfWrite(store, table, db.createKey(item, table), undefined, item);
  await done((callback) => store.db.batch(operations, callback));
  await timeToLive.set(TableName, 'expires');
  let scans = 0;
  const { iterator } = store.db;
  store.db.iterator = ((...range: Parameters<Store['db']['iterator']>) => {
    scans++;
    return iterator.apply(store.db, range);
  }) as Store['db']['iterator'];
  return { timeToLive, scans: () => scans };
}

const done = (start: (callback: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });

it.each([
  ['will expire in a day', now + day],
  ['expired more than five years ago, so that it is never deleted', now - 6 * 365 * day],
])('a table is scanned only once if its item %s', async (_, expiry) => {
  const { timeToLive, scans } = await setUp(expiry);
  expect(await timeToLive.deleteExpired()).toBe(0);
  expect(await timeToLive.deleteExpired()).toBe(0);
  expect(scans()).toBe(1);
});
