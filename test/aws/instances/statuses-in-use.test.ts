import { beforeEach, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { StatusesInUse } from '../../../src/aws/instances/statuses-in-use.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { instanceIndexes } from '../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';

const table = 'instances';
const open = { model: 'orders', status: 'Open' };
const paid = { model: 'claims', status: 'Paid' };

let client: DynamoDb;
beforeEach(() => {
  client = new MemoryDynamoDb({ [table]: { indexes: instanceIndexes } }).dynamoDb;
});

/** Creates the recorder of a new process. */
const newProcess = (own: DynamoDb = client) =>
  new StatusesInUse({ client: own, table, clock: systemClock });

const byModel = (a: { readonly model: string }, b: { readonly model: string }) =>
  a.model < b.model ? -1 : 1;

describe('the statuses in use', () => {
  it('are the same in all processes and contain every recorded status once', async () => {
    const [first, second] = [newProcess(), newProcess()];
    await first.record([open, open, paid]);
    await second.record([paid]);
    for (const each of [first, second, newProcess()])
      expect((await each.list()).toSorted(byModel)).toEqual([paid, open]);
    expect(await second.has(open)).toBe(true);
    expect(await second.has({ ...open, model: 'claims' })).toBe(false);
  });

  it('can have 256 four-byte characters', async () => {
    const longest = { model: 'm'.repeat(64), status: '🚲'.repeat(256) };
    await newProcess().record([longest]);
    expect(await newProcess().list()).toEqual([longest]);
  });

  it('are each read and written at most once per process', async () => {
    const requests: string[] = [];
    const counting: DynamoDb = {
      ...client,
      batchGetItem: (input) => {
        requests.push(`read ${input.RequestItems![table]!.Keys!.length}`);
        return client.batchGetItem(input);
      },
      putItem: (input) => {
        requests.push('write');
        return client.putItem(input);
      },
    };
    const process = newProcess(counting);
    for (const rows of [[open], [open, open], [open, paid], [paid]]) await process.record(rows);
    expect(requests).toEqual(['read 1', 'write', 'read 1', 'write']);
    requests.length = 0;
    await newProcess(counting).record([open, paid]);
    expect(requests).toEqual(['read 2']);
  });

  it('of other models are not read before rows are written, however many there are', async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ model: 'claims', status: `claim ${n}` }));
    await newProcess().record(many);
    const read: unknown[] = [];
    const watched: DynamoDb = {
      ...client,
      query: async (input) => {
        const page = await client.query(input);
        read.push(...(page.Items ?? []));
        return page;
      },
      batchGetItem: async (input) => {
        const page = await client.batchGetItem(input);
        read.push(...Object.values(page.Responses ?? {}).flat());
        return page;
      },
    };
    const head = commitOf({ model: 'orders', transaction: 'T1' }, 1);
    expect(await new DynamoDbInstanceStore(watched, table).writeStatus([head])).toEqual([
      { value: undefined },
    ]);
    expect(read).toEqual([]);
    expect(await newProcess().has(open)).toBe(true);
  });

  it('are recorded before their rows are written, so that lists find every row', async () => {
    let isRefused = true;
    const failing: DynamoDb = {
      ...client,
      putItem: (input) =>
        isRefused ? Promise.reject(new Error('DynamoDB is not available')) : client.putItem(input),
    };
    const store = new DynamoDbInstanceStore(failing, table);
    const lists = new DynamoDbInstanceLists(client, table);
    const head = commitOf({ model: 'orders', transaction: 'T1' }, 1, {
      description: { status: 'Open' },
    });
    const [failed] = await store.writeStatus([head]);
    expect(failed).toMatchObject({ error: { message: 'DynamoDB is not available' } });
    expect(await lists.list(open, { limit: 5 })).toEqual({ items: [] });
    isRefused = false;
    expect(await store.writeStatus([head])).toEqual([{ value: undefined }]);
    expect((await lists.list({}, { limit: 5 })).items).toMatchObject([{ transaction: 'T1' }]);
  });
});

it('a list of all instances reads only the partitions of statuses in use', async () => {
  const store = new DynamoDbInstanceStore(client, table);
  await store.writeStatus([
    commitOf({ model: 'orders', transaction: 'T1' }, 1, { description: { status: 'Open' } }),
  ]);
  const partitions: string[] = [];
  const watched: DynamoDb = {
    ...client,
    query: (input) => {
      if (input.IndexName) partitions.push(input.ExpressionAttributeValues![':partition']!.S!);
      return client.query(input);
    },
  };
  await new DynamoDbInstanceLists(watched, table).list({}, { limit: 5 });
  expect([...new Set(partitions)].map((each) => each.replace(/#\d+$/u, ''))).toEqual(
    Array.from({ length: 8 }, () => 'orders#Open'),
  );
});
