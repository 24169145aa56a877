import { beforeEach, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../../src/aws/instances/dynamodb-status-rows.ts';
import { IndexPartitions } from '../../../src/aws/instances/index-partitions.ts';
import { IndexPartitionsWriter } from '../../../src/aws/instances/index-partitions-writer.ts';
import { announcementPeriod, cacheLifetime } from '../../../src/aws/instances/partition-counts.ts';
import { DynamoDbDueTimerIndex } from '../../../src/aws/lists/dynamodb-due-timer-index.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { headOf } from '../../../src/core/history/commit.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { instanceIndexes } from '../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const table = 'instances';
const model = 'orders';
const key = 'customer:1';

let clock: ManualClock;
let database: MemoryDynamoDb;
let client: DynamoDb;
let writer: IndexPartitionsWriter;

beforeEach(() => {
  clock = new ManualClock();
  database = new MemoryDynamoDb({ [table]: { indexes: instanceIndexes } });
  client = database.dynamoDb;
  writer = new IndexPartitionsWriter(client, table, clock);
});

/** Creates the view of another process, which has not read the numbers of partitions yet. */
function newProcess() {
  const partitions = new IndexPartitions({ client, table, clock });
  return {
    toWrite: async () => (await partitions.toWrite()).count,
    toRead: async () => (await partitions.toRead()).count,
    byTransaction: async () => (await partitions.toRead()).byTransaction,
  };
}

/** Another process that writes instances. */
class Writer {
  #isCutOff = false;
  readonly store = new DynamoDbInstanceStore(
    {
      ...client,
      query: (input) =>
        this.#isCutOff ? Promise.reject(new Error('throttled')) : client.query(input),
    },
    table,
    clock,
  );

  /** Makes all later reads of the numbers of partitions fail in this process. */
  cutOff(): void {
    this.#isCutOff = true;
  }

  async write(version: number, ...transactions: string[]): Promise<void> {
    const heads = transactions.map((transaction) => headOf(this.commit(transaction, version)));
    for (const answer of await this.store.writeStatus(heads))
      expect(answer).toEqual({ value: undefined });
  }

  commit(transaction: string, version: number) {
    return commitOf({ model, transaction }, version, {
      at: toIso(clock.now() + version),
      lateAt: toIso(clock.now() - 1),
      timers: [{ name: 'a', dueAt: toIso(clock.now()), run: 'r' }],
      description: { status: 'Open', keys: [key] },
    });
  }
}

const names = Array.from({ length: 200 }, (_, n) => `T${String(n).padStart(3, '0')}`);
const newLists = () => new DynamoDbInstanceLists(client, table, clock);

/** Reads every list completely. Returns the sorted transaction ids by list. */
async function everyList(lists = newLists()): Promise<Record<string, string[]>> {
  const due = new DynamoDbDueTimerIndex(client, table, clock);
  const timers = await Promise.all(
    (await due.partitions()).map((partition) =>
      Array.fromAsync(due.dueInstances(partition, toIso(clock.now()))),
    ),
  );
  const request = { limit: 1_000 };
  const pages = {
    all: lists.list({}, request),
    model: lists.list({ model }, request),
    status: lists.list({ model, status: 'Open' }, request),
    late: lists.list({ lateBy: toIso(clock.now()) }, request),
    key: lists.list({ key }, request),
    prefix: lists.list({ prefix: 'T' }, request),
    fixedOrder: lists.keysInFixedOrder(model, request),
  };
  const found = await Promise.all(
    Object.entries(pages).map(async ([name, page]) => [name, (await page).items] as const),
  );
  const all = [...found, ['due', timers.flat(2)] as const];
  return Object.fromEntries(
    all.map(([name, items]) => [name, items.map(({ transaction }) => transaction).toSorted()]),
  );
}

const listNames = ['all', 'model', 'status', 'late', 'key', 'prefix', 'fixedOrder', 'due'];
const everywhere = (expected: readonly string[]) =>
  Object.fromEntries(listNames.map((name) => [name, expected]));

describe('the number of index partitions', () => {
  it('is eight in existing installations without a stored number', async () => {
    await new Writer().write(1, 'T1');
    await writer.begin();
    const partitions = newProcess();
    expect([await partitions.toWrite(), await partitions.toRead()]).toEqual([8, 8]);
  });

  it('is two in new installations', async () => {
    await writer.begin();
    const partitions = newProcess();
    expect([await partitions.toWrite(), await partitions.toRead()]).toEqual([2, 2]);
  });

  it('is half as high for the index by transaction, but never lower than the initial number', async () => {
    await writer.begin();
    expect(await newProcess().byTransaction()).toBe(2);
    await writer.raise(4);
    expect(await newProcess().byTransaction()).toBe(2);
    await writer.raise(16);
    expect(await newProcess().byTransaction()).toBe(8);
  });

  it('rises for readers as soon as the new number is announced, and for writers after the announcement period', async () => {
    await writer.raise(32);
    const partitions = newProcess();
    expect([await partitions.toWrite(), await partitions.toRead()]).toEqual([8, 32]);
    await clock.advance(announcementPeriod - 1);
    expect(await partitions.toWrite()).toBe(8);
    await clock.advance(1);
    expect(await partitions.toWrite()).toBe(32);
  });

  it('becomes known to every reader before a writer uses it', async () => {
    const reader = newProcess();
    expect(await reader.toRead()).toBe(8);
    await writer.raise(16);
    await clock.advance(cacheLifetime);
    expect(await reader.toRead()).toBe(16);
    expect(await newProcess().toWrite()).toBe(8);
  });

  it('never decreases', async () => {
    await writer.raise(32);
    await writer.raise(16);
    expect(await newProcess().toRead()).toBe(32);
  });

  it('starts a new announcement period if it is raised again before the period ends', async () => {
    await writer.raise(16);
    await clock.advance(announcementPeriod / 2);
    await writer.raise(64);
    await clock.advance(announcementPeriod / 2);
    const partitions = newProcess();
    expect([await partitions.toWrite(), await partitions.toRead()]).toEqual([8, 64]);
  });

  it('is not changed if the initial number is set again', async () => {
    await writer.begin();
    await writer.raise(16);
    await writer.begin();
    expect(await newProcess().toRead()).toBe(16);
  });

  it('remains in use by writers, but not by readers, if it cannot be read again', async () => {
    const partitions = newProcess();
    await partitions.toWrite();
    await clock.advance(cacheLifetime);
    database.interfere = () => {
      throw new Error('throttled');
    };
    expect(await partitions.toWrite()).toBe(8);
    await expect(partitions.toRead()).rejects.toThrow('throttled');
  });
});

describe('while the number of index partitions grows', () => {
  it('every list contains every instance, regardless of when the instance was written', async () => {
    await writer.begin();
    const [stale, reader] = [new Writer(), newLists()];
    await stale.write(1, ...names.slice(0, 50));
    stale.cutOff();
    expect(await everyList(reader)).toEqual(everywhere(names.slice(0, 50)));

    await writer.raise(16);
    await new Writer().write(1, ...names.slice(50, 100));
    expect(await everyList(reader)).toEqual(everywhere(names.slice(0, 100)));

    await clock.advance(announcementPeriod);
    await new Writer().write(1, ...names.slice(100, 150));
    expect(await everyList(reader)).toEqual(everywhere(names.slice(0, 150)));

    await new Writer().write(2, ...names.slice(0, 20));
    await stale.write(1, ...names.slice(150));
    expect(await everyList(reader)).toEqual(everywhere(names));
    const used = new Set(database.items(table).flatMap(({ statusShard }) => statusShard?.S ?? []));
    expect(used.size).toBe(16);
  });

  it('the fixed order stays the same, even if a row moves back to an earlier partition', async () => {
    await writer.begin();
    const stale = new Writer();
    await stale.write(1, ...names);
    stale.cutOff();
    const before = await newLists().keysInFixedOrder(model, { limit: 1_000 });
    await writer.raise(16);
    await clock.advance(announcementPeriod);
    const lists = newLists();
    const found: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const { items, cursor: next } = await lists.keysInFixedOrder(model, { limit: 7, cursor });
      found.push(...items.map(({ transaction }) => transaction));
      cursor = next;
      const writing = page % 2 === 0 ? new Writer() : stale;
      await writing.write(page + 2, ...names.filter((_, n) => n % 3 !== page % 5));
    }
    expect(found).toEqual(before.items.map(({ transaction }) => transaction));
  });

  it('a row in a partition that results from an earlier number is consistent, but a row in a wrong partition is not', async () => {
    const rows = () => new DynamoDbStatusRows(client, table, clock);
    await new Writer().write(1, 'T1');
    await writer.raise(64);
    await clock.advance(announcementPeriod);
    const key = { model, transaction: 'T1' };
    expect(await rows().read(key)).toMatchObject({ row: { status: 'Open' } });
    const [item] = database.items(table).filter(({ sk }) => sk!.S === 'STATUS');
    const partition = Number(item!.statusShard!.S!.split('#').at(-1));
    database.put(table, { ...item, statusShard: { S: `${model}#Open#${partition ^ 1}` } });
    expect(await rows().read(key)).toEqual({ version: 1, row: undefined });
  });
});
