import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceQuery, ListOrder } from '../../../src/api/stores/instance-lists.ts';
import { dynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { parkedStatus, type StatusRow, statusRow } from '../../../src/core/status/status-row.ts';
import { serviceAt } from '../../support/service/service-at.ts';
import { type Database, startDatabase } from '../tables.ts';
import { changed, listsOf, names, pages, queryOf, whileReading } from './listed-instances.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('lists of instances', () => {
  // Each instance has a distinct time, so the order is known. Sorting by transaction id would result in a different
  // order.
  const models = ['orders', 'claims', 'gone'] as const;
  const all = Array.from({ length: 90 }, (_, i) => {
    const model = models[i % 3]!;
    const statuses = { orders: ['Open', 'Closed'], claims: ['Open', 'Paid'], gone: ['Lost'] }[
      model
    ];
    const group = ['ATV', 'AT', 'B#'][i % 5] ?? '';
    const time = (i * 37) % 90;
    return changed(model, `${group}${i}`, statuses[i % statuses.length]!, time);
  });
  let lists: DynamoDbInstanceLists;
  beforeAll(async () => {
    ({ lists } = await listsOf(database, all));
  });

  const expected = ({ model, status, prefix, order }: InstanceQuery) =>
    all
      .map((commit) => statusRow(commit))
      .filter((row) => model === undefined || row.model === model)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => prefix === undefined || row.transaction.startsWith(prefix))
      .toSorted((a, b) => (a.updatedAt < b.updatedAt === (order === 'oldest') ? -1 : 1));

  it.each<[string, InstanceQuery]>([
    ['no filter', {}],
    ['a model', { model: 'orders' }],
    ['a status of several models', { status: 'Open' }],
    ['a status of one model', { status: 'Paid' }],
    ['a model and a status', { model: 'claims', status: 'Open' }],
    ['a model that is no longer registered', { model: 'gone' }],
    ['a status of a model that is no longer registered', { model: 'gone', status: 'Lost' }],
    ['a prefix', { prefix: 'AT' }],
    ['a prefix that contains `#`', { prefix: 'B#' }],
    ['a complete transaction id', { prefix: all[0]!.transaction, model: 'orders' }],
    ['a prefix and a model', { prefix: 'ATV', model: 'orders' }],
    ['a prefix and a status', { prefix: 'A', status: 'Closed' }],
    ['a prefix, a model, and a status', { prefix: 'A', model: 'claims', status: 'Paid' }],
    ['a prefix and a model that is no longer registered', { prefix: '1', model: 'gone' }],
  ])('with %s contain the matching instances, newest change first', async (_, query) => {
    const wanted = expected(query);
    expect(wanted.length).toBeGreaterThan(0);
    const { items } = await lists.list(query, { limit: 100 });
    expect(items).toStrictEqual(wanted);
  });

  it.each<[string, InstanceQuery]>([
    ['an unknown model', { model: 'never' }],
    ['an unknown status', { status: 'never' }],
    ['an unknown status of a model', { model: 'orders', status: 'never' }],
    ['a prefix without matches', { prefix: 'never' }],
    ['a prefix in the wrong case', { prefix: 'atv' }],
    ['a prefix of 256 four-byte characters', { prefix: '🚲'.repeat(256) }],
  ])('are empty with %s', async (_, query) => {
    expect(await lists.list(query, { limit: 100 })).toEqual({ items: [] });
  });

  it('are empty for an invalid model id, without any request', async () => {
    const nowhere = dynamoDb(serviceAt('http://127.0.0.1:1'));
    const unreachable = new DynamoDbInstanceLists(nowhere, 'instances');
    const query = { model: 'NO/MODEL', status: 'Open' };
    expect(await unreachable.list(query, { limit: 5 })).toEqual({ items: [] });
  });

  it('are returned in pages without repetitions or gaps', async () => {
    const query = fc.constantFrom<InstanceQuery>(
      {},
      { model: 'orders' },
      { status: 'Open' },
      { model: 'claims', status: 'Open' },
      { model: 'gone' },
      { prefix: 'AT', model: 'orders' },
    );
    const order = fc.constantFrom<ListOrder | undefined>(undefined, 'newest', 'oldest');
    const limits = fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(query, order, limits, async (each, order, sizes) => {
        let page = 0;
        const wanted = { ...each, ...(order && { order }) };
        const found = await pages(lists, wanted, () => sizes[page++ % sizes.length]!);
        expect(names(found.flat())).toEqual(names(expected(wanted)));
      }),
      {
        numRuns: 16,
        examples: [
          [{}, undefined, [150]],
          [{}, 'newest', [149]],
          [{}, 'oldest', [149]],
          [{ model: 'orders' }, undefined, [50]],
          [{ model: 'orders' }, 'oldest', [50]],
        ],
      },
    );
  });

  it('can be read in pages of one instance', async () => {
    const query = { model: 'claims', status: 'Paid' };
    const found = await pages(lists, query, () => 1);
    expect(names(found.flat())).toEqual(names(expected(query)));
  });
});

describe('a list by prefix', () => {
  const many = Array.from({ length: 230 }, (_, i) =>
    changed('orders', `${i < 215 ? 'ATV' : 'B'}-${i}`, i % 2 ? 'Open' : 'Closed', (i * 7) % 230),
  );
  const newestFirst = many
    .map((commit) => statusRow(commit))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  let lists: DynamoDbInstanceLists;
  beforeAll(async () => {
    ({ lists } = await listsOf(database, many));
  });

  it.each<[string, InstanceQuery]>([
    ['hundreds of instances', { prefix: 'ATV' }],
    [
      'only the instances with a status, out of hundreds with the prefix',
      { prefix: 'ATV', status: 'Open' },
    ],
    ['hundreds of instances of a model', { prefix: 'ATV', model: 'orders' }],
    ['a few instances', { prefix: 'B' }],
  ])('contains %s', async (_, query) => {
    const found = await pages(lists, query, () => 90);
    const wanted = newestFirst.filter(
      (row) =>
        row.transaction.startsWith(query.prefix!) &&
        (query.status === undefined || row.status === query.status),
    );
    expect(names(found.flat())).toEqual(names(wanted));
  });
});

describe('the order of a list', () => {
  it.each<[string, InstanceQuery, string[][]]>([
    ['by prefix', { prefix: 'ATV' }, [['ATV-1'], ['ATV-3'], ['ATV-2']]],
    [
      'by prefix, oldest first',
      { prefix: 'ATV', order: 'oldest' },
      [['ATV-2'], ['ATV-3'], ['ATV-1']],
    ],
    ['by business key', { key: 'customer:1' }, [['ATV-1'], ['ATV-3'], ['ATV-2']]],
  ])('reflects commits that leave the status row unchanged: %s', async (_, query, wanted) => {
    const version = (transaction: string, time: number, number = 1) => ({
      ...changed('orders', transaction, 'Open', time, number),
      description: { status: 'Open', keys: ['customer:1'] },
    });
    const first = [version('ATV-1', 1), version('ATV-2', 2), version('ATV-3', 3)];
    const { lists, commit } = await listsOf(database, first);
    await commit(...first, version('ATV-1', 4, 2));
    const found = await pages(lists, query, () => 1);
    expect(found.map((page) => page.map(({ transaction }) => transaction))).toEqual(wanted);
    expect(found.flat().map((row) => row.version)).toContain(2);
  });
});

describe('a list in a fixed order', () => {
  const names = (rows: readonly StatusRow[]) => rows.map(({ transaction }) => transaction);

  it('contains every instance of the model once, even if instances change during the read', async () => {
    const all = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'é😀' : 'T'}${i}#/`);
    const { lists, write } = await listsOf(database, [
      ...all.map((transaction, i) => changed('orders', transaction, 'Open', i)),
      changed('claims', 'T1#/', 'Open', 1),
    ]);
    for (const limit of [1, 7, 60, 100]) {
      const found: string[] = [];
      let time = 1_000;
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page: Awaited<ReturnType<typeof lists.inFixedOrder>> = await lists.inFixedOrder(
          'orders',
          cursor === undefined ? { limit } : { limit, cursor },
        );
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...names(page.items));
        cursor = page.cursor;
        // Change an instance that was read and an instance that was not read.
        const [seen, last] = [found[0]!, all.at(-1)!];
        await write(...[seen, last].map((each) => changed('orders', each, 'Closed', time, time)));
        time += 1;
      }
      expect(found.toSorted()).toEqual(all.toSorted());
    }
  });

  it('can be continued after any instance of a page', async () => {
    const all = Array.from({ length: 30 }, (_, i) => `T${i}#`);
    const { lists } = await listsOf(
      database,
      all.map((each, i) => changed('orders', each, 'Open', i)),
    );
    const { items } = await lists.inFixedOrder('orders', { limit: 100 });
    expect(names(items).toSorted()).toEqual(all.toSorted());
    for (const [index, instance] of items.entries()) {
      const cursor = await lists.cursorAfter(instance);
      const rest = await lists.inFixedOrder('orders', { limit: 100, cursor });
      expect(names(rest.items)).toEqual(names(items.slice(index + 1)));
    }
  });

  it.each([
    ['no content', ''],
    ['a partition that does not exist', '9#'],
    ['a negative partition', '-1#x'],
    ['a partition that is not a number', 'x#y'],
    ['no partition', 'T'],
    ['a transaction id of more than 1 KB', `0#${'x'.repeat(1_025)}`],
  ])('is empty for a cursor with %s', async (_, cursor) => {
    const { lists } = await listsOf(database, [changed('orders', 'T', 'Open', 1)]);
    expect(await lists.inFixedOrder('orders', { limit: 5, cursor })).toEqual({ items: [] });
  });

  it('is empty for an invalid model id', async () => {
    const { lists } = await listsOf(database, []);
    expect(await lists.inFixedOrder('No!', { limit: 5 })).toEqual({ items: [] });
  });
});

describe('an instance in the lists', () => {
  it('moves to the top of the list for its new status when its status changes', async () => {
    const { lists, write } = await listsOf(database, [
      changed('orders', 'a', 'Open', 1),
      changed('orders', 'b', 'Open', 2),
      changed('orders', 'c', 'Closed', 3),
    ]);
    await write(changed('orders', 'a', 'Closed', 4, 2));
    const list = async (query: InstanceQuery) =>
      names((await lists.list(query, { limit: 10 })).items);
    expect(await list({ status: 'Open' })).toEqual(['orders/b']);
    expect(await list({ status: 'Closed' })).toEqual(['orders/a', 'orders/c']);
    expect(await list({})).toEqual(['orders/a', 'orders/c', 'orders/b']);
    expect(await list({ prefix: 'a' })).toEqual(['orders/a']);
  });

  it('stays in lists when its model no longer declares its status', async () => {
    const { lists } = await listsOf(database, [changed('orders', 'a', 'Shipped', 1)]);
    expect(names((await lists.list({}, { limit: 5 })).items)).toEqual(['orders/a']);
    const query = { model: 'orders', status: 'Shipped' };
    expect(names((await lists.list(query, { limit: 5 })).items)).toEqual(['orders/a']);
    const ofAnyModel = { status: 'Shipped' };
    expect(names((await lists.list(ofAnyModel, { limit: 5 })).items)).toEqual(['orders/a']);
  });

  it('is omitted while its row is malformed, and does not affect the other instances', async () => {
    const { instances } = await database.newTables();
    const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
    await store.writeStatus(['a', 'b'].map((id, time) => changed('orders', id, 'Open', time)));
    await database.dynamoDb.updateItem({
      TableName: instances,
      Key: { pk: { S: 'orders#a' }, sk: { S: 'STATUS' } },
      UpdateExpression: 'REMOVE statusSince',
    });
    const lists = new DynamoDbInstanceLists(database.dynamoDb, instances);
    for (const query of [{}, { model: 'orders', status: 'Open' }, { prefix: 'a' }]) {
      const { items } = await lists.list(query, { limit: 5 });
      expect(names(items)).toEqual('prefix' in query ? [] : ['orders/b']);
    }
    expect(names((await lists.inFixedOrder('orders', { limit: 5 })).items)).toEqual(['orders/b']);
  });

  it('is in the list for its model while its first event is parked', async () => {
    const { lists } = await listsOf(database, [
      changed('orders', 'a', parkedStatus, 1),
      changed('orders', 'b', 'Open', 2),
    ]);
    const { items } = await lists.list({ model: 'orders' }, { limit: 5 });
    expect(names(items)).toEqual(['orders/b', 'orders/a']);
  });

  it('appears only once on a page, even if it moves while the index is read', async () => {
    const { lists, write } = await listsOf(database, [
      changed('orders', 'a', 'Open', 1),
      changed('orders', 'b', 'Closed', 2),
    ]);
    const moved = changed('orders', 'a', 'Closed', 3, 2);
    const { items } = await whileReading(
      { after: queryOf('#Open#'), before: queryOf('#Closed#'), change: () => write(moved) },
      () => lists.list({ model: 'orders' }, { limit: 10 }),
    );
    expect(items[0]).toStrictEqual(statusRow(moved));
    expect(names(items)).toEqual(['orders/a', 'orders/b']);
  });

  it('does not remove other instances from the next page when it moves', async () => {
    // With 210 instances, a list by prefix reads the index in several steps.
    const many = Array.from({ length: 210 }, (_, i) => changed('orders', `ATV-${i}`, 'Closed', i));
    const { lists, write } = await listsOf(database, [
      ...many,
      changed('orders', 'ATV', 'Open', 205.5),
    ]);
    const query = { model: 'orders', prefix: 'ATV' };
    const moved = changed('orders', 'ATV', 'Closed', 300, 2);
    const first = await whileReading(
      { after: queryOf('#Open#'), before: queryOf('#Closed#'), change: () => write(moved) },
      () => lists.list(query, { limit: 1 }),
    );
    expect(names(first.items)).toEqual(['orders/ATV']);
    const next = await lists.list(query, { limit: 2, cursor: first.cursor });
    expect(names(next.items)).toEqual(['orders/ATV-209', 'orders/ATV-208']);
  });

  it('is not in the list for a status that it left after the index was read', async () => {
    const { lists, write } = await listsOf(database, [
      changed('orders', 'a', 'Open', 1),
      changed('orders', 'b', 'Open', 2),
    ]);
    const { items } = await whileReading(
      {
        after: queryOf('#Open#'),
        before: ({ name }) => name === 'batchGetItem',
        change: () => write(changed('orders', 'a', 'Closed', 3, 2)),
      },
      () => lists.list({ status: 'Open' }, { limit: 10 }),
    );
    expect(names(items)).toEqual(['orders/b']);
  });
});
