import { beforeEach, describe, expect, it } from 'vitest';
import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { keyIndexItems } from '../../../src/aws/lists/key-index.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { instanceIndexes } from '../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { skipSleep } from '../../support/skip-sleep.ts';
import { changed, moment } from './listed-instances.ts';

const table = 'instances';
let client: DynamoDb;
/** The current time, in milliseconds since 1970. Each query of an index takes `queryTime`. */
let now: number;
let queryTime: number;
let indexQueries: number;
let rowsRead: number;
let lists: DynamoDbInstanceLists;

beforeEach(() => {
  [now, queryTime, indexQueries, rowsRead] = [0, 0, 0, 0];
  client = new MemoryDynamoDb({ [table]: { indexes: instanceIndexes } }).dynamoDb;
  const counting: DynamoDb = {
    ...client,
    query: (input) => {
      if (input.IndexName) {
        indexQueries++;
        now += queryTime;
      }
      return client.query(input);
    },
    batchGetItem: (input) => {
      rowsRead += input.RequestItems![table]!.Keys!.length;
      return client.batchGetItem(input);
    },
  };
  lists = new DynamoDbInstanceLists(counting, table, { now: () => now, sleep: skipSleep });
});

const names = (instances: readonly InstanceKey[]) =>
  instances.map(({ model, transaction }) => `${model}/${transaction}`);

const write = (commits: readonly Commit[]) =>
  new DynamoDbInstanceStore(client, table).writeStatus(commits);

async function pagesOf(query: InstanceQuery, limit: number) {
  const pages: (readonly InstanceKey[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await lists.list(query, { limit, ...(cursor && { cursor }) });
    pages.push(page.items);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return pages;
}

describe('a list of a few late instances among many late instances of another model', () => {
  const lateOf = (model: string, n: number): Commit => ({
    ...changed(model, `T${n}`, 'Open', n),
    lateAt: moment(10_000 + n),
  });
  const query = { model: 'orders', lateBy: moment(20_000) };
  const orders = [1, 700, 1_400].map((n) => lateOf('orders', n));
  beforeEach(async () => {
    const others = Array.from({ length: 1_500 }, (_, n) => lateOf('claims', n));
    await write([...others, ...orders]);
  });
  const expected = names(orders.toReversed());

  it('takes fewer than 300 queries', async () => {
    expect((await pagesOf(query, 5)).map(names)).toEqual([expected]);
    expect(indexQueries).toBeLessThan(300);
  });

  it('is returned in short pages with cursors if queries are slow', async () => {
    queryTime = 300;
    const pages = await pagesOf(query, 5);
    expect(names(pages.flat())).toEqual(expected);
    expect(pages.length).toBeGreaterThan(2);
    expect(now / pages.length).toBeLessThan(20_000);
  });
});

it('a list by a business key that thousands of instances share reads only as many rows as it needs', async () => {
  const keyed = Array.from({ length: 12 }, (_, n) => ({
    ...changed('orders', `T${n}`, 'Open', n),
    description: { status: 'Open', keys: ['region:eu'] },
  }));
  await write(keyed);
  for (let n = 0; n < 5_000; n++)
    for (const Item of keyIndexItems(
      { model: 'orders', transaction: `other ${n}` },
      ['region:eu'],
      {
        count: 8,
        byTransaction: 8,
      },
    ))
      await client.putItem({ TableName: table, Item });
  const pages = await pagesOf({ key: 'region:eu' }, 5);
  expect(pages.map(names)).toEqual(
    [keyed.slice(7), keyed.slice(2, 7), keyed.slice(0, 2)].map((some) => names(some.toReversed())),
  );
  expect(rowsRead).toBeLessThan(200);
});
