import type { QueryInput } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import { type DynamoDb, dynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import { parkedStatus, type StatusRow, statusRow } from '../../../src/core/status/status-row.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import type { ParkedEvent } from '../../../src/parking/parking-store.ts';
import { commitOf } from '../../support/commits.ts';
import { placed } from '../../support/events.ts';
import { serviceAt } from '../../support/service-at.ts';
import { type Database, startDatabase } from '../tables.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const registered = (id: string, ...statuses: string[]): RegistryEntry => ({
  id,
  version: 2,
  title: id,
  statuses,
  milestones: [],
  eventTypes: [],
  functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${id}`,
  registeredAt: toIso(0),
});

const entries = [registered('orders', 'Open', 'Closed'), registered('claims', 'Open', 'Paid')];
const registry = { list: () => Promise.resolve(entries) };

const start = Date.UTC(2026, 0, 1);

/** A commit that leaves an instance in a status at a time. */
function changed(
  model: string,
  transaction: string,
  status: string,
  time: number,
  version = 1,
): Commit {
  const at = toIso(start + time);
  return commitOf({ model, transaction }, version, { at, description: { status } });
}

/** Lists of a table with these status rows. */
async function listsOf(commits: readonly Commit[]) {
  const { instances } = await database.newTables();
  const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
  const write = async (...changes: readonly Commit[]) => {
    for (const answer of await store.writeStatus(changes))
      if ('error' in answer) throw answer.error;
  };
  await write(...commits);
  return {
    lists: new DynamoDbInstanceLists(watched(database.dynamoDb), instances, registry),
    write,
  };
}

/** All pages, read one after the other. */
async function pages(
  lists: DynamoDbInstanceLists,
  query: InstanceQuery,
  nextLimit: () => number,
): Promise<StatusRow[][]> {
  const found: StatusRow[][] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = nextLimit();
    const page = await lists.list(query, { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push([...page.items]);
    if (page.cursor === undefined) return found;
    // Without this a list that does not go on would hang the test.
    expect(cursor === undefined || page.cursor < cursor).toBe(true);
    // Only where there is more is there a cursor.
    expect(page.items).toHaveLength(limit);
    cursor = page.cursor;
  }
}

const names = (rows: readonly StatusRow[]) => rows.map((row) => `${row.model}/${row.transaction}`);

const moment = (time: number) => toIso(start + time);

describe('a list in a fixed order', () => {
  const names = (rows: readonly StatusRow[]) => rows.map(({ transaction }) => transaction);

  it('has every instance of the model once, whatever changes while it is read', async () => {
    const all = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'é😀' : 'T'}${i}#/`);
    const { lists, write } = await listsOf([
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
        // What is read, and what is not yet, changes.
        const [seen, last] = [found[0]!, all.at(-1)!];
        await write(...[seen, last].map((each) => changed('orders', each, 'Closed', time, time)));
        time += 1;
      }
      expect(found.toSorted()).toEqual(all.toSorted());
    }
  });

  it('goes on behind any instance of a page', async () => {
    const all = Array.from({ length: 30 }, (_, i) => `T${i}#`);
    const { lists } = await listsOf(all.map((each, i) => changed('orders', each, 'Open', i)));
    const { items } = await lists.inFixedOrder('orders', { limit: 100 });
    expect(names(items).toSorted()).toEqual(all.toSorted());
    for (const [index, instance] of items.entries()) {
      const cursor = lists.cursorAfter(instance);
      const rest = await lists.inFixedOrder('orders', { limit: 100, cursor });
      expect(names(rest.items)).toEqual(names(items.slice(index + 1)));
    }
  });

  it.each(['', '9#', '-1#x', 'x#y', 'T', `0#${'x'.repeat(1_025)}`])(
    'ends where a cursor is none of its own: %j',
    async (cursor) => {
      const { lists } = await listsOf([changed('orders', 'T', 'Open', 1)]);
      expect(await lists.inFixedOrder('orders', { limit: 5, cursor })).toEqual({ items: [] });
    },
  );

  it('has nothing of a model that cannot be', async () => {
    const { lists } = await listsOf([]);
    expect(await lists.inFixedOrder('No!', { limit: 5 })).toEqual({ items: [] });
  });
});

describe('what needs somebody', () => {
  /** Every third is late at some time, one after the other. */
  const all = Array.from({ length: 60 }, (_, i) => ({
    ...changed(i % 2 ? 'orders' : 'claims', `T${i}`, 'Open', i),
    lateAt: i % 3 ? null : moment(1_000 + i),
  }));
  const lateBy = moment(1_030);
  const late = all.filter(({ lateAt }) => lateAt !== null && lateAt <= lateBy);
  let lists: DynamoDbInstanceLists;
  beforeAll(async () => {
    ({ lists } = await listsOf(all));
  });

  const transactions = (rows: readonly { transaction: string }[]) =>
    rows.map(({ transaction }) => transaction).toSorted();

  it.each<[string, InstanceQuery]>([
    ['all', {}],
    ['those of a model', { model: 'orders' }],
    ['those with a prefix', { prefix: 'T1' }],
    ['those of a status', { status: 'Open' }],
    ['none of another status', { status: 'Paid' }],
  ])('lists what is late, page by page: %s', async (_, query) => {
    const found = await pages(lists, { ...query, lateBy }, () => 3);
    const expected = late.filter(
      ({ model, transaction, description }) =>
        model === (query.model ?? model) &&
        description.status === (query.status ?? description.status) &&
        transaction.startsWith(query.prefix ?? ''),
    );
    expect(transactions(found.flat())).toEqual(transactions(expected));
  });

  it('counts by model what is late', async () => {
    const { counts, more } = await lists.countByModel({ lateBy });
    const count = (model: string) => late.filter((each) => each.model === model).length;
    expect(Object.fromEntries(counts)).toEqual({
      orders: count('orders'),
      claims: count('claims'),
    });
    expect(more).toBe(false);
  });

  it('counts what has a status', async () => {
    expect(await lists.count('orders', 'Open')).toEqual({ count: 30, more: false });
    expect(await lists.count('orders', 'Closed')).toEqual({ count: 0, more: false });
  });
});

describe('what business calls by a key', () => {
  const keyed = (model: string, transaction: string, time: number, ...keys: string[]) => ({
    ...changed(model, transaction, 'Open', time, time),
    description: { status: 'Open', keys },
  });
  const all = [
    keyed('orders', 'T1', 1, 'customer:1', 'order:7'),
    keyed('orders', 'T2', 2, 'customer:2'),
    keyed('claims', 'T3', 3, 'customer:1'),
    keyed('orders', 'A4', 4, 'customer:1'),
  ];
  let lists: DynamoDbInstanceLists;
  let write: (...changes: readonly Commit[]) => Promise<void>;
  beforeAll(async () => {
    ({ lists, write } = await listsOf(all));
  });
  const found = async (query: InstanceQuery) =>
    names((await lists.list(query, { limit: 10 })).items);

  it('is found by it, newest change first', async () => {
    expect(await found({ key: 'customer:1' })).toEqual(['orders/A4', 'claims/T3', 'orders/T1']);
    expect(await found({ key: 'order:7' })).toEqual(['orders/T1']);
    expect(await found({ key: 'order:8' })).toEqual([]);
    expect(await found({ key: 'customer:1', model: 'orders', prefix: 'T' })).toEqual(['orders/T1']);
  });

  it('comes page by page', async () => {
    const found = await pages(lists, { key: 'customer:1' }, () => 2);
    expect(found.map((page) => names(page))).toEqual([['orders/A4', 'claims/T3'], ['orders/T1']]);
  });

  it('comes in order when many share the key', async () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      keyed('orders', `M${i}`, 100 + ((i * 7) % 40), 'customer:many'),
    );
    await write(...many);
    const listed = (await pages(lists, { key: 'customer:many' }, () => 15)).flat();
    const expected = many.toSorted((a, b) => (a.at < b.at ? 1 : -1));
    expect(names(listed)).toEqual(expected.map((each) => `orders/${each.transaction}`));
  });

  it('is not found by what it is not called any more', async () => {
    await write(keyed('orders', 'T2', 9, 'customer:3'));
    expect(await found({ key: 'customer:2' })).toEqual([]);
    expect(await found({ key: 'customer:3' })).toEqual(['orders/T2']);
  });
});

it('lists what has parked events for as long as it has any', async () => {
  const { instances } = await database.newTables();
  const parking = new DynamoDbParkingStore(database.dynamoDb, instances);
  const lists = new DynamoDbInstanceLists(database.dynamoDb, instances, registry);
  const listed = async () => names((await lists.list({ parked: true }, { limit: 9 })).items);
  for (const transaction of ['T1', 'T2']) {
    const instance = { model: 'orders', transaction };
    await parking.park([parkedEvent(instance, 1)]);
    await parking.recount(instance);
  }
  expect((await listed()).toSorted()).toEqual(['orders/T1', 'orders/T2']);
  expect(await lists.countByModel({ parked: true })).toEqual({
    counts: new Map([['orders', 2]]),
    more: false,
  });
  const left = { model: 'orders', transaction: 'T1' };
  const change = await parking.begin(left, { shard: 'shard-0', sequence: '9' });
  await parking.finish(change, { count: 0, since: undefined });
  expect(await listed()).toEqual(['orders/T2']);
});

describe('an instance whose events were all rejected', () => {
  const rejected = (transaction: string, version: number) =>
    commitOf({ model: 'orders', transaction }, version, {
      at: moment(version),
      startedAt: null,
      lateAt: moment(0),
      description: { status: 'Open', keys: ['customer:7'] },
    });
  /** Every list and count that has the instance T1. */
  async function having(lists: DynamoDbInstanceLists): Promise<string[]> {
    const queries: Record<string, InstanceQuery> = {
      all: {},
      model: { model: 'orders' },
      status: { status: 'Open' },
      'model and status': { model: 'orders', status: 'Open' },
      prefix: { prefix: 'T' },
      key: { key: 'customer:7' },
      late: { lateBy: moment(99) },
      parked: { parked: true },
      'parked, by prefix': { parked: true, prefix: 'T' },
    };
    const found = await Promise.all(
      Object.entries(queries).map(async ([name, query]) =>
        (await lists.list(query, { limit: 9 })).items.length > 0 ? [name] : [],
      ),
    );
    const inOrder = await lists.inFixedOrder('orders', { limit: 9 });
    const { count } = await lists.count('orders', 'Open');
    const isInOrder = inOrder.items.length > 0 ? ['fixed order'] : [];
    return [...found.flat(), ...isInOrder, ...(count > 0 ? ['count'] : [])];
  }
  const everywhere = ['all', 'model', 'status', 'model and status', 'prefix', 'key'];

  it('is in no list until an event is applied', async () => {
    const { lists, write } = await listsOf([rejected('T1', 1)]);
    expect(await having(lists)).toEqual([]);
    await write(rejected('T1', 2));
    expect(await having(lists)).toEqual([]);
    const description = { status: 'Open', keys: ['customer:7'] };
    await write(commitOf({ model: 'orders', transaction: 'T1' }, 3, { description }));
    expect(await having(lists)).toEqual([...everywhere, 'fixed order', 'count']);
  });

  it('is among those with parked events while it has any', async () => {
    const { instances } = await database.newTables();
    const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
    const parking = new DynamoDbParkingStore(database.dynamoDb, instances);
    const lists = new DynamoDbInstanceLists(database.dynamoDb, instances, registry);
    const instance = { model: 'orders', transaction: 'T1' };
    // Parked first, it is listed everywhere: nothing is known of it yet.
    await parking.park([parkedEvent(instance, 1)]);
    await parking.recount(instance);
    expect(await having(lists)).toEqual([
      ...['all', 'model', 'prefix', 'parked', 'parked, by prefix', 'fixed order'],
    ]);
    // Redriven, the event is rejected, and another one waits.
    await parking.park([parkedEvent(instance, 2)]);
    await parking.remove(instance, [placed(1).position]);
    await store.writeStatus([rejected('T1', 1)]);
    await parking.recount(instance);
    expect(await having(lists)).toEqual(['parked', 'parked, by prefix']);
    const [row] = (await lists.list({ parked: true }, { limit: 9 })).items;
    expect(row).toStrictEqual({ ...statusRow(rejected('T1', 1)), parked: 1 });
    // That one is rejected as well.
    await parking.remove(instance, [placed(2).position]);
    await store.writeStatus([rejected('T1', 2)]);
    await parking.recount(instance);
    expect(await having(lists)).toEqual([]);
  });
});

const parkedEvent = (instance: InstanceKey, place: number): ParkedEvent => ({
  ...placed(place, instance),
  reason: 'broken',
  fault: false,
  at: moment(place),
  letterId: 'letter',
});

describe('lists of instances', () => {
  // Each at a time of its own, so that their order is known; but not in the order of their names.
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
    ({ lists } = await listsOf(all));
  });

  const expected = ({ model, status, prefix }: InstanceQuery) =>
    all
      .map((commit) => statusRow(commit))
      .filter((row) => model === undefined || row.model === model)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => prefix === undefined || row.transaction.startsWith(prefix))
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));

  it.each<[string, InstanceQuery]>([
    ['no filter', {}],
    ['a model', { model: 'orders' }],
    ['a status of several models', { status: 'Open' }],
    ['a status of one model', { status: 'Paid' }],
    ['a model and a status', { model: 'claims', status: 'Open' }],
    ['a model that is not registered any more', { model: 'gone' }],
    ['a model that is not registered any more, and a status', { model: 'gone', status: 'Lost' }],
    ['a prefix', { prefix: 'AT' }],
    ['a prefix with a sign that keys have', { prefix: 'B#' }],
    ['a whole name', { prefix: all[0]!.transaction, model: 'orders' }],
    ['a prefix and a model', { prefix: 'ATV', model: 'orders' }],
    ['a prefix and a status', { prefix: 'A', status: 'Closed' }],
    ['a prefix, a model and a status', { prefix: 'A', model: 'claims', status: 'Paid' }],
    ['a prefix and a model that is not registered any more', { prefix: '1', model: 'gone' }],
  ])('with %s come newest change first', async (_, query) => {
    const known = expected(query).filter(
      // Without a model, only names of models that are registered are searched.
      (row) => query.prefix === undefined || query.model !== undefined || row.model !== 'gone',
    );
    expect(known.length).toBeGreaterThan(0);
    const { items } = await lists.list(query, { limit: 100 });
    expect(items).toStrictEqual(known.slice(0, 100));
  });

  it.each<[string, InstanceQuery]>([
    ['a model that never was', { model: 'never' }],
    ['a status that never was', { status: 'never' }],
    ['a status that never was, of a model', { model: 'orders', status: 'never' }],
    ['a prefix that no name has', { prefix: 'never' }],
    ['a prefix in other letters', { prefix: 'atv' }],
    ['a prefix of 256 characters of four bytes', { prefix: '🚲'.repeat(256) }],
  ])('with %s are empty', async (_, query) => {
    expect(await lists.list(query, { limit: 100 })).toEqual({ items: [] });
  });

  it('are empty without a request with what cannot name a model', async () => {
    const nowhere = dynamoDb(serviceAt('http://127.0.0.1:1'));
    const unreachable = new DynamoDbInstanceLists(nowhere, 'instances', registry);
    const query = { model: 'NO/MODEL', status: 'Open' };
    expect(await unreachable.list(query, { limit: 5 })).toEqual({ items: [] });
  });

  it('come in pages that neither repeat nor miss one', async () => {
    const query = fc.constantFrom<InstanceQuery>(
      {},
      { model: 'orders' },
      { status: 'Open' },
      { model: 'claims', status: 'Open' },
      { model: 'gone' },
      { prefix: 'AT', model: 'orders' },
    );
    const limits = fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(query, limits, async (each, sizes) => {
        let page = 0;
        const found = await pages(lists, each, () => sizes[page++ % sizes.length]!);
        expect(names(found.flat())).toEqual(names(expected(each)));
      }),
      {
        numRuns: 12,
        examples: [
          [{}, [150]],
          [{}, [149]],
          [{ model: 'orders' }, [50]],
        ],
      },
    );
  });

  it('come one by one', async () => {
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
    ({ lists } = await listsOf(many));
  });

  it.each<[string, InstanceQuery]>([
    ['hundreds', { prefix: 'ATV' }],
    ['hundreds, of which some are wanted', { prefix: 'ATV', status: 'Open' }],
    ['hundreds of a model', { prefix: 'ATV', model: 'orders' }],
    ['few', { prefix: 'B' }],
  ])('finds every one of %s', async (_, query) => {
    const found = await pages(lists, query, () => 90);
    const wanted = newestFirst.filter(
      (row) =>
        row.transaction.startsWith(query.prefix!) &&
        (query.status === undefined || row.status === query.status),
    );
    expect(names(found.flat())).toEqual(names(wanted));
  });
});

describe('an instance that changes', () => {
  it('leaves the list of its old status, and comes first in that of its new one', async () => {
    const { lists, write } = await listsOf([
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

  it('keeps its place in lists when its model no longer has its status', async () => {
    const { lists } = await listsOf([changed('orders', 'a', 'Shipped', 1)]);
    expect(names((await lists.list({}, { limit: 5 })).items)).toEqual(['orders/a']);
    const query = { model: 'orders', status: 'Shipped' };
    expect(names((await lists.list(query, { limit: 5 })).items)).toEqual(['orders/a']);
    const ofAnyModel = { status: 'Shipped' };
    expect(names((await lists.list(ofAnyModel, { limit: 5 })).items)).toEqual(['orders/a']);
  });

  it('is in the list of its model while its first event is parked', async () => {
    const { lists } = await listsOf([
      changed('orders', 'a', parkedStatus, 1),
      changed('orders', 'b', 'Open', 2),
    ]);
    const { items } = await lists.list({ model: 'orders' }, { limit: 5 });
    expect(names(items)).toEqual(['orders/b', 'orders/a']);
  });

  it('is on a page once, though it moves while the index is read', async () => {
    const { lists, write } = await listsOf([
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

  it('does not take others off the next page when it moves', async () => {
    // So many that a list by prefix walks along the changes, several at a time.
    const many = Array.from({ length: 210 }, (_, i) => changed('orders', `ATV-${i}`, 'Closed', i));
    const { lists, write } = await listsOf([...many, changed('orders', 'ATV', 'Open', 205.5)]);
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

  it('is not on the list of a status that it has left since the index was read', async () => {
    const { lists, write } = await listsOf([
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

interface Request {
  readonly name: string | symbol;
  readonly input: object;
}

const direct = (_: Request, next: () => Promise<unknown>) => next();
let around = direct;

/** The database, with whatever is put around its requests. */
const watched = (client: DynamoDb): DynamoDb =>
  new Proxy(client, {
    get: (target, name) => (input: object) =>
      around({ name, input }, () =>
        (target as unknown as Record<string | symbol, (input: object) => Promise<unknown>>)[name]!(
          input,
        ),
      ),
  });

const queryOf =
  (partition: string) =>
  ({ name, input }: Request) => {
    const { ExpressionAttributeValues: values } = input as Partial<QueryInput>;
    return name === 'query' && values?.[':partition']?.S?.includes(partition) === true;
  };

/**
 * Does something while a list is read, after requests of one kind and before those of another. On
 * AWS that happens by itself: an index follows its table a moment later, partition by partition.
 */
async function whileReading<Result>(
  {
    after,
    before,
    change,
  }: {
    readonly after: (request: Request) => boolean;
    readonly before: (request: Request) => boolean;
    readonly change: () => Promise<void>;
  },
  read: () => Promise<Result>,
): Promise<Result> {
  const changed = Promise.withResolvers<void>();
  let underWay = 0;
  around = async (request, next) => {
    if (before(request)) await changed.promise;
    if (!after(request)) return next();
    underWay++;
    const answer = await next();
    if (--underWay === 0) change().then(changed.resolve, changed.reject);
    return answer;
  };
  try {
    return await read();
  } finally {
    around = direct;
  }
}
