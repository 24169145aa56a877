import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import type { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { type Database, startDatabase } from '../tables.ts';
import { changed, listsOf, names, pages } from './listed-instances.ts';

let database: Database;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('a list by business key', () => {
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
    ({ lists, write } = await listsOf(database, all));
  });
  const found = async (query: InstanceQuery) =>
    names((await lists.list(query, { limit: 10 })).items);

  it('contains the instances with the key, newest change first', async () => {
    expect(await found({ key: 'customer:1' })).toEqual(['orders/A4', 'claims/T3', 'orders/T1']);
    expect(await found({ key: 'order:7' })).toEqual(['orders/T1']);
    expect(await found({ key: 'order:8' })).toEqual([]);
    expect(await found({ key: 'customer:1', model: 'orders', prefix: 'T' })).toEqual(['orders/T1']);
  });

  it('is returned in pages', async () => {
    const found = await pages(lists, { key: 'customer:1' }, () => 2);
    expect(found.map((page) => names(page))).toEqual([['orders/A4', 'claims/T3'], ['orders/T1']]);
  });

  it('is sorted even if many instances share the key', async () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      keyed('orders', `M${i}`, 100 + ((i * 7) % 40), 'customer:many'),
    );
    await write(...many);
    const listed = (await pages(lists, { key: 'customer:many' }, () => 15)).flat();
    const expected = many.toSorted((a, b) => (a.at < b.at ? 1 : -1));
    expect(names(listed)).toEqual(expected.map((each) => `orders/${each.transaction}`));
  });

  it('omits an instance that no longer has the key', async () => {
    await write(keyed('orders', 'T2', 9, 'customer:3'));
    expect(await found({ key: 'customer:2' })).toEqual([]);
    expect(await found({ key: 'customer:3' })).toEqual(['orders/T2']);
  });
});
