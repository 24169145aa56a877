import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbDueTimerIndex } from '../../../src/aws/lists/dynamodb-due-timer-index.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { type Database, startDatabase } from '../tables.ts';
import { dueTimerIndexCases, type IndexUnderTest } from './due-timer-index-cases.ts';

const keys = { partition: 'dueShard', sort: 'dueKey' };
const { dynamoDb } = new MemoryDynamoDb({ instances: { indexes: { 'by-due': keys } } });

const onTable = (client: DynamoDb, table: string): IndexUnderTest => ({
  index: new DynamoDbDueTimerIndex(client, table),
  store: new DynamoDbInstanceStore(client, table),
  parking: new DynamoDbParkingStore(client, table),
});

describe('DynamoDbDueTimerIndex on an in-memory DynamoDB', () => {
  const database = new MemoryDynamoDb({ instances: { indexes: { 'by-due': keys } } });
  const underTest = onTable(database.dynamoDb, 'instances');
  dueTimerIndexCases(() => underTest);
});

describe('DynamoDbDueTimerIndex', () => {
  let database: Database;
  let underTest: IndexUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    underTest = onTable(database.dynamoDb, (await database.newTables()).instances);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  dueTimerIndexCases(() => underTest);
});

it('the due timer index distributes instances over its partitions and reads each partition page by page', async () => {
  const index = new DynamoDbDueTimerIndex(dynamoDb, 'instances');
  const store = new DynamoDbInstanceStore(dynamoDb, 'instances');
  const start = Date.UTC(2026, 0, 1);
  const commits = Array.from({ length: 1_700 }, (_, n) =>
    commitOf({ model: 'm', transaction: `T${n}` }, 1, {
      timers: [{ name: 'a', dueAt: toIso(start + (n % 7)), run: 'r' }],
    }),
  );
  await store.commit(commits);
  await store.writeStatus(commits);

  const found: string[] = [];
  for (const partition of await index.partitions()) {
    const pages = await Array.fromAsync(index.dueInstances(partition, toIso(start + 7)));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      expect(page.length).toBeLessThanOrEqual(100);
      found.push(...page.map(({ transaction }) => transaction));
    }
  }
  expect(found.toSorted()).toEqual(commits.map(({ transaction }) => transaction).toSorted());
});

it('the due timer index reads the timers of a hundred instances with two requests', async () => {
  const store = new DynamoDbInstanceStore(dynamoDb, 'instances');
  const instances = Array.from({ length: 100 }, (_, n) => ({ model: 'm', transaction: `B${n}` }));
  const timers = [{ name: 'a', dueAt: '2026-01-01T00:02:00.000Z', run: 'run' }];
  const commits = instances.map((key) => commitOf(key, 1, { timers }));
  await store.commit(commits);
  await store.writeStatus(commits);
  let requests = 0;
  const counting = new Proxy(dynamoDb, {
    get: (target, name, receiver) => {
      requests++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  await new DynamoDbDueTimerIndex(counting, 'instances').readTimers(instances);
  expect(requests).toBe(2);
});
