import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { shardAttribute } from '../../../src/aws/counters/counted-shards.ts';
import { DynamoDbCounterStore } from '../../../src/aws/counters/dynamodb-counter-store.ts';
import { DynamoDbCounts } from '../../../src/aws/counters/dynamodb-counts.ts';
import { itemBytes } from '../../../src/aws/dynamodb/item-size.ts';
import type { CountedChange } from '../../../src/counter/changes-in-generation.ts';
import { scanShard } from '../../../src/counter/rebuild/count-page.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const day = 24 * 60 * 60 * 1_000;
const [shard, other] = ['shardId-00000001414576573621-f55eea83', 'shardId-2'];

let database: MemoryDynamoDb;
let clock: ManualClock;
let store: DynamoDbCounterStore;
beforeEach(() => {
  database = new MemoryDynamoDb({ counters: {} });
  clock = new ManualClock();
  store = new DynamoDbCounterStore(database.dynamoDb, 'counters', clock);
});

/** A row change that moves an instance into (1) or out of (-1) a status. */
const change = (sequence: number, by = 1, status = 'Open'): CountedChange => ({
  sequence: String(sequence),
  changes: [{ model: 'orders', group: 'totals', name: `status:${status}`, by }],
});
const add = (changes: readonly CountedChange[], of = shard) => store.add(0, of, changes);

async function count(status = 'Open'): Promise<number | undefined> {
  const totals = await new DynamoDbCounts(database.dynamoDb, 'counters').totals(['orders']);
  return totals.get('orders')!.get(`status:${status}`);
}

describe('counter items', () => {
  it('count a change once, even if several batches contain it', async () => {
    const all = [change(9), change(10), change(11), change(100)];
    await add(all.slice(0, 2));
    await add(all.slice(0, 3));
    await add(all.slice(1));
    await add(all);
    expect(await count()).toBe(4);
  });

  it('count a change once even if two invocations count it at the same time', async () => {
    const batches = [[change(1)], [change(1), change(2)], [change(1), change(2), change(3)]];
    await Promise.all(batches.map((batch) => add(batch)));
    expect(await count()).toBe(3);
  });

  it('ignore the redelivery of changes that canceled each other out', async () => {
    await add([change(1), change(2, -1)]);
    await add([change(1)]);
    expect((await count()) ?? 0).toBe(0);
  });

  it('count the changes of each shard, even if their sequence numbers are lower than those of another shard', async () => {
    await add([change(5)]);
    await add([change(4)], other);
    expect(await count()).toBe(2);
  });

  it('are all read, even if the positions of hundreds of shards make a list larger than a page of a query', async () => {
    const days = Array.from({ length: 100 }, (_, n) =>
      new Date(n * day).toISOString().slice(0, 10),
    );
    const started = days.map(
      (name, n): CountedChange => ({
        sequence: String(n + 1),
        changes: [{ model: 'orders', group: 'day', name, by: 1 }],
      }),
    );
    for (const each of [shard, other, 'shardId-3', 'shardId-4']) await add(started, each);
    const position = { S: '21.412345678901234567890@t3xw40' };
    const positions = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [shardAttribute(`shardId-0000000${n}`), position]),
    );
    for (const item of database.items('counters'))
      if (days.includes(item.sk!.S!)) database.put('counters', { ...item, ...positions });
    const { counts, last } = await new DynamoDbCounts(database.dynamoDb, 'counters').inGroup(
      'orders',
      'day',
      { limit: 100 },
    );
    expect(counts).toEqual(days.map((name) => ({ name, instances: 4 })));
    expect(last).toBeUndefined();
  });

  it('fit into one write unit with the shard positions of two days', async () => {
    // Every four hours, new shards replace the four shards of the stream.
    const hours = 4;
    for (let round = 0; round < 48 / hours; round++) {
      for (let n = 0; n < 4; n++) {
        const id = `shardId-0000000${1_700_000_000_000 + 1_000 * round + n}-${round.toString(16)}4b1c0d${n}`;
        const sequence = BigInt('412345678901234567890') + BigInt(round);
        const statuses = ['Received', 'Verified', 'Scheduled', 'Fulfilled', 'Closed'];
        const changes = statuses.flatMap((status) => change(0, 1_000, status).changes);
        await add([{ sequence: String(sequence), changes }], id);
      }
      await clock.advance(hours * 3_600_000);
    }
    const items = database.items('counters').filter(({ sk }) => sk!.S === 'totals');
    expect(items.length).toBe(4);
    const units = items.map((item) => Math.ceil(itemBytes(item) / 1_024));
    expect(units).toEqual([1, 1, 1, 1]);
  });

  it('are updated with one request per item and batch', async () => {
    // The first change to a model needs one more request, which adds the model to the item that lists all models.
    await add([change(0)]);
    let requests = 0;
    database.interfere = () => {
      requests += 1;
    };
    await add(Array.from({ length: 1_000 }, (_, n) => change(n + 1, 1, `S${n % 20}`)));
    expect(requests).toBe(1);
    await add([change(2_000)]);
    expect(requests).toBe(2);
  });

  it("are updated within DynamoDB's limits for expressions if hundreds of their counters change", async () => {
    const expressions: string[] = [];
    database.interfere = (command) => {
      if (command instanceof UpdateItemCommand) expressions.push(command.input.UpdateExpression!);
    };
    const statuses = Array.from({ length: 350 }, (_, n) => `S${n}`);
    const changes = statuses.map((status, n) => change(n + 1, 1, status));
    expect(await add(changes)).toEqual([]);
    expect(await add([...changes, change(1_000, 1, 'S0')])).toEqual([]);
    expect(Math.max(...expressions.map((each) => each.length))).toBeLessThan(4_096);
    expect(Math.max(...expressions.map((each) => each.split(',').length))).toBeLessThan(300);
    expect(await Promise.all(statuses.map(count))).toEqual([2, ...Array(349).fill(1)]);
  });

  it('forget a shard two days after its last change', async () => {
    await add([change(1)]);
    const shards = () =>
      database
        .items('counters')
        .flatMap((item) => Object.keys(item).filter((name) => name.startsWith('shard:')));
    // Find another shard that updates the same item. The probes use another generation, so they do not change the item.
    const [pk] = database.items('counters').map((item) => item.pk!.S!);
    let same = '';
    for (let n = 0; same === ''; n++) {
      await store.add(1, `probe-${n}`, [change(1)]);
      if (database.items('counters').some((item) => item.pk!.S === pk!.replace('#0#', '#1#')))
        same = `probe-${n}`;
    }
    await clock.advance(day);
    await add([change(1)], same);
    expect(shards()).toContain(shardAttribute(shard));
    await clock.advance(1.5 * day);
    await add([change(2)], same);
    expect(shards()).not.toContain(shardAttribute(shard));
    expect(await count()).toBe(3);
  });

  it('count a page of a rebuild once, even if the rebuild continues after five days of other changes', async () => {
    await add([change(7)], scanShard);
    await clock.advance(5 * day);
    // These shards update every partition of the counters.
    for (let n = 0; n < 20; n++) await add([change(1)], `shardId-${n}`);
    await add([change(7)], scanShard);
    expect(await count()).toBe(21);
  });

  it("drop hundreds of shards that expired during a pause without exceeding DynamoDB's limits for expressions", async () => {
    const expressions: string[] = [];
    database.interfere = (command) => {
      if (!(command instanceof UpdateItemCommand)) return;
      const { UpdateExpression = '', ConditionExpression = '' } = command.input;
      expressions.push(UpdateExpression, ConditionExpression);
    };
    for (let n = 0; n < 2_000; n++) await add([change(1)], `shardId-${n}`);
    await clock.advance(3 * day);
    for (let n = 2_000; n < 2_100; n++) await add([change(1)], `shardId-${n}`);
    const lengths = expressions.map((expression) => expression.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * 1_024);
    const positions = database
      .items('counters')
      .flatMap((item) => Object.keys(item).filter((name) => name.startsWith('shard:')));
    expect(positions).toHaveLength(100);
    expect(await count()).toBe(2_100);
  });

  it('that cannot be updated are reported with their first change and do not affect other items', async () => {
    database.interfere = (command) => {
      if (command instanceof UpdateItemCommand && command.input.Key!.sk!.S === '2026-01-01')
        throw Object.assign(new Error('throttled'), { code: 'busy' });
    };
    const started: CountedChange = {
      sequence: '2',
      changes: [{ model: 'orders', group: 'day', name: '2026-01-01', by: 1 }],
    };
    const failures = await add([change(1), started, change(3)]);
    expect(failures).toEqual([{ sequence: '2', error: expect.objectContaining({ code: 'busy' }) }]);
    expect(await count()).toBe(2);
  });
});
