import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import type { ParkedEvent } from '../../../src/parking/parking-store.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { type Database, startDatabase } from '../tables.ts';
import { changed, listsOf, moment, names, pages } from './listed-instances.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('lists of late instances', () => {
  /** Every third instance becomes late. Instances with higher numbers become late later. */
  const all = Array.from({ length: 60 }, (_, i) => ({
    ...changed(i % 2 ? 'orders' : 'claims', `T${i}`, 'Open', i),
    lateAt: i % 3 ? null : moment(1_000 + i),
  }));
  const lateBy = moment(1_030);
  const late = all.filter(({ lateAt }) => lateAt !== null && lateAt <= lateBy);
  let lists: DynamoDbInstanceLists;
  beforeAll(async () => {
    ({ lists } = await listsOf(database, all));
  });

  const transactions = (rows: readonly { transaction: string }[]) =>
    rows.map(({ transaction }) => transaction).toSorted();

  it.each<[string, InstanceQuery]>([
    ['all late instances', {}],
    ['the late instances of a model', { model: 'orders' }],
    ['the late instances with a prefix', { prefix: 'T1' }],
    ['the late instances with a status', { status: 'Open' }],
    ['no instances for an unused status', { status: 'Paid' }],
  ])('contain %s', async (_, query) => {
    const found = await pages(lists, { ...query, lateBy }, () => 3);
    const expected = late.filter(
      ({ model, transaction, description }) =>
        model === (query.model ?? model) &&
        description.status === (query.status ?? description.status) &&
        transaction.startsWith(query.prefix ?? ''),
    );
    expect(transactions(found.flat())).toEqual(transactions(expected));
  });
});

describe('lists of instances at risk', () => {
  const now = moment(1_000);
  const past = (n: number) => moment(n);
  const future = moment(2_000);
  const all = [
    { id: 'safe', riskAt: future, lateAt: future },
    { id: 'risky', riskAt: past(300), lateAt: future },
    { id: 'risky-and-paused', riskAt: past(200), lateAt: null },
    { id: 'late-after-risk', riskAt: past(100), lateAt: past(400) },
    { id: 'late', riskAt: null, lateAt: past(500) },
    { id: 'never', riskAt: null, lateAt: null },
  ].map(({ id, ...times }, index) => ({ ...changed('claims', id, 'Open', index), ...times }));
  let lists: DynamoDbInstanceLists;
  beforeAll(async () => {
    ({ lists } = await listsOf(database, all));
  });

  const found = async (query: InstanceQuery) =>
    (await pages(lists, query, () => 1)).flat().map(({ transaction }) => transaction);

  it('contain instances at risk, including paused instances, but no late instances', async () => {
    expect(await found({ atRiskBy: now })).toEqual(['risky', 'risky-and-paused']);
    expect(await found({ atRiskBy: now, prefix: 'risky-' })).toEqual(['risky-and-paused']);
    expect(await found({ lateBy: now })).toEqual(['late', 'late-after-risk']);
  });

  it('start with the instance that has been at risk the longest if the order is `oldest`, like lists of late instances', async () => {
    expect(await found({ lateBy: now, order: 'oldest' })).toEqual(['late-after-risk', 'late']);
    expect(await found({ atRiskBy: now, order: 'oldest' })).toEqual(['risky-and-paused', 'risky']);
    const page = await lists.list({ lateBy: moment(500), order: 'oldest' }, { limit: 9 });
    expect(page.items.map(({ transaction }) => transaction)).toEqual(['late-after-risk', 'late']);
    // The instance `late` became late after moment 450, so the read of the index ends before its entry.
    expect(await found({ lateBy: moment(450), order: 'oldest' })).toEqual(['late-after-risk']);
  });

  it('do not contain an instance after its milestone becomes late or is reached', async () => {
    const { lists: changing, write } = await listsOf(database, all);
    const row = async (riskAt: string | null, lateAt: string | null, version: number) => {
      await write({ ...changed('claims', 'risky', 'Open', version, version), riskAt, lateAt });
      const page = await changing.list({ atRiskBy: now }, { limit: 10 });
      return page.items.some(({ transaction }) => transaction === 'risky');
    };
    expect(await row(past(300), future, 2)).toBe(true);
    expect(await row(past(300), past(900), 3)).toBe(false);
    expect(await row(past(300), future, 4)).toBe(true);
    expect(await row(null, null, 5)).toBe(false);
  });
});

it('the list of instances with parked events contains an instance until its queue is empty', async () => {
  const { instances } = await database.newTables();
  const parking = new DynamoDbParkingStore(database.dynamoDb, instances);
  const lists = new DynamoDbInstanceLists(database.dynamoDb, instances);
  const listed = async () => names((await lists.list({ parked: true }, { limit: 9 })).items);
  for (const [index, transaction] of ['T1', 'T2'].entries()) {
    const instance = { model: 'orders', transaction };
    await parking.park([parkedEvent(instance, index + 1)]);
    await parking.recount(instance);
  }
  expect((await listed()).toSorted()).toEqual(['orders/T1', 'orders/T2']);
  const oldest = await lists.list({ parked: true, order: 'oldest' }, { limit: 9 });
  expect(names(oldest.items)).toEqual(['orders/T1', 'orders/T2']);
  expect(await lists.countParked()).toEqual({ count: 2, more: false });
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
  /** Returns the names of the lists that contain the instance. */
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
    const isInOrder = inOrder.items.length > 0 ? ['fixed order'] : [];
    return [...found.flat(), ...isInOrder];
  }
  const everywhere = ['all', 'model', 'status', 'model and status', 'prefix', 'key'];

  it('is in no list until an event is applied', async () => {
    const { lists, write } = await listsOf(database, [rejected('T1', 1)]);
    expect(await having(lists)).toEqual([]);
    await write(rejected('T1', 2));
    expect(await having(lists)).toEqual([]);
    const description = { status: 'Open', keys: ['customer:7'] };
    await write(commitOf({ model: 'orders', transaction: 'T1' }, 3, { description }));
    expect(await having(lists)).toEqual([...everywhere, 'fixed order']);
  });

  it('is in the lists of instances with parked events while it has parked events', async () => {
    const { instances } = await database.newTables();
    const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
    const parking = new DynamoDbParkingStore(database.dynamoDb, instances);
    const lists = new DynamoDbInstanceLists(database.dynamoDb, instances);
    const instance = { model: 'orders', transaction: 'T1' };
    // While an instance's first event is parked and no commit exists, lists cannot recognize that the instance has not
    // started.
    await parking.park([parkedEvent(instance, 1)]);
    await parking.recount(instance);
    expect(await having(lists)).toEqual([
      ...['all', 'model', 'prefix', 'parked', 'parked, by prefix', 'fixed order'],
    ]);
    // A redrive rejects the first event, and a second event is parked.
    await parking.park([parkedEvent(instance, 2)]);
    await parking.remove(instance, [placed(1).position]);
    await store.writeStatus([rejected('T1', 1)]);
    await parking.recount(instance);
    expect(await having(lists)).toEqual(['parked', 'parked, by prefix']);
    const [row] = (await lists.list({ parked: true }, { limit: 9 })).items;
    expect(row).toStrictEqual({ ...statusRow(rejected('T1', 1)), parked: 1 });
    // A redrive rejects the second event, too.
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
