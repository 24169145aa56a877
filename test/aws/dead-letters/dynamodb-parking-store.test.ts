import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { partitionOf, statusKey } from '../../../src/aws/instances/instance-keys.ts';
import type { ParkedEvent } from '../../../src/parking/parking-store.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { placed } from '../../support/data/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const instance = { model: 'counter', transaction: 'T1' };
const at = '2026-01-01T00:00:00.000Z';
let clock: ManualClock;
let database: MemoryDynamoDb;
let store: DynamoDbParkingStore;

beforeEach(() => {
  clock = new ManualClock();
  database = new MemoryDynamoDb({ instances: {} });
  store = new DynamoDbParkingStore(database.dynamoDb, 'instances', clock);
});

const positionAt = (place: number) => placed(place).position;
const parked = (place: number, reason = 'broken', bytes = 1): ParkedEvent => ({
  ...placed(place, { id: `e${place}`, data: { filler: 'x'.repeat(bytes) } }),
  reason,
  fault: false,
  at,
  letterId: `letter-${place}`,
});
const many = (count: number, from = 1) => Array.from({ length: count }, (_, n) => parked(from + n));
const idsIn = (events: readonly ParkedEvent[]) => events.map(({ event }) => event.id);

async function row() {
  const Key = { pk: { S: partitionOf(instance) }, sk: { S: statusKey } };
  const { Item } = await database.dynamoDb.getItem({ TableName: 'instances', Key });
  return { parked: Item?.parked?.N, announced: Item?.parking?.SS?.length ?? 0 };
}

/** Parks events in one complete queue change. */
async function parkAll(events: readonly ParkedEvent[]): Promise<void> {
  const change = await store.begin(instance, events[0]!.position);
  await store.park(events);
  await store.recount(instance, change);
}

describe('stored parked events', () => {
  it('are returned in order of arrival, including large events', async () => {
    const events = [...many(60), parked(61, 'broken', 200_000), parked(62, 'broken', 30_000)];
    expect(await store.park(events.toReversed())).toEqual(events.map(() => ({ value: 'parked' })));
    expect(await store.oldest(instance, 100)).toStrictEqual(events);
  });

  it('are returned in pages that fit into the memory of a function, even if the events compress to 1% of their size', async () => {
    const events = Array.from({ length: 40 }, (_, n) => parked(n + 1, 'broken', 250_000));
    await store.park(events);
    for (let left = idsIn(events); left.length > 0; ) {
      const page = await store.oldest(instance, 500);
      expect(idsIn(page)).toEqual(left.splice(0, page.length));
      expect(page.length).toBeGreaterThan(0);
      expect(JSON.stringify(page).length).toBeLessThan(5 * 1024 * 1024);
      await store.remove(
        instance,
        page.map(({ position }) => position),
      );
    }
  });

  it('do not change when they are parked again', async () => {
    await store.park([parked(1), parked(61, 'broken', 200_000)]);
    expect(await store.park([parked(1, 'other'), parked(2), parked(61, 'other', 200_000)])).toEqual(
      [{ value: 'already parked' }, { value: 'parked' }, { value: 'already parked' }],
    );
    expect((await store.oldest(instance, 9)).map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'broken'),
    );
  });

  it('can be replaced, but replacing a missing event stores nothing', async () => {
    await store.park([parked(1)]);
    await store.replace(parked(1, 'still broken'));
    await store.replace(parked(2));
    expect(await store.oldest(instance, 9)).toStrictEqual([parked(1, 'still broken')]);
  });

  it('are found and removed by their positions', async () => {
    await store.park(many(120));
    const positions = many(130).map(({ position }) => position);
    expect(await store.find(instance, positions)).toHaveLength(120);
    await store.remove(instance, positions.slice(1));
    expect(idsIn(await store.find(instance, positions))).toEqual(['e1']);
  });
});

describe('a queue change', () => {
  it('returns the previous queue and updates the status row', async () => {
    const first = await store.begin(instance, positionAt(1));
    expect(first.before).toEqual({ count: 0, since: undefined });
    await store.park(many(3));
    expect(await store.finish(first, { count: 3, since: at })).toBe('finished');
    expect(await row()).toEqual({ parked: '3', announced: 0 });
    const second = await store.begin(instance, positionAt(4));
    expect(second.before).toEqual({ count: 3, since: at });
  });

  it('does not finish if another queue change began in the meantime', async () => {
    const change = await store.begin(instance, positionAt(1));
    const other = await store.begin(instance, positionAt(2));
    expect(await store.finish(change, { count: 9, since: at })).toBe('interfered');
    await store.park(many(2));
    await store.recount(instance, change);
    expect(await row()).toEqual({ parked: '2', announced: 1 });
    expect(await store.finish(other, { count: 9, since: at })).toBe('interfered');
    await store.recount(instance, other);
    expect(await row()).toEqual({ parked: '2', announced: 0 });
  });

  it('returns no previous queue after an interrupted queue change, and ends the interrupted change', async () => {
    await store.begin(instance, positionAt(1));
    await store.park(many(2));
    const again = await store.begin(instance, positionAt(1));
    expect(again.before).toBeUndefined();
    await store.recount(instance, again);
    expect(await row()).toEqual({ parked: '2', announced: 0 });
  });

  it('ends other changes only if they began more than an hour ago', async () => {
    await store.begin(instance, positionAt(1));
    await clock.advance(50 * 60_000);
    await store.begin(instance, positionAt(2));
    await clock.advance(20 * 60_000);
    const change = await store.begin(instance, positionAt(3));
    await store.recount(instance, change);
    expect(await row()).toEqual({ parked: '0', announced: 1 });
  });

  it('keeps the status row small even after thousands of interrupted queue changes', async () => {
    for (let attempt = 0; attempt < 5_000; attempt++) {
      const change = await store.begin(instance, positionAt(1));
      expect(change.before === undefined).toBe(attempt > 0);
      await clock.advance(1_000);
    }
    expect((await row()).announced).toBeLessThan(100);
    await store.park(many(2));
    await store.recount(instance, await store.begin(instance, positionAt(1)));
    expect(await row()).toEqual({ parked: '2', announced: 0 });
  });

  /** Parks the events with the places 2 to `last`, each between a count and the write of the status row. */
  function parkDuringCounts(last: number): void {
    const send = database.send.bind(database);
    let place = 1;
    const interfering: typeof send = async (command) => {
      if (command instanceof UpdateItemCommand && place < last) {
        place++;
        database.send = send;
        await store.begin(instance, positionAt(place));
        database.send = interfering;
        await store.park([parked(place)]);
      }
      return send(command);
    };
    database.send = interfering;
  }

  it('leaves a correct count if other events are parked during the count', async () => {
    await parkAll([parked(1)]);
    parkDuringCounts(4);
    await store.recount(instance);
    expect((await row()).parked).toBe('4');
  });

  it('fails if other events are parked during each of five counts, and remains announced', async () => {
    await parkAll([parked(1)]);
    const change = await store.begin(instance, positionAt(2));
    parkDuringCounts(6);
    await expect(store.recount(instance, change)).rejects.toMatchObject({ code: 'contention' });
    expect((await row()).announced).toBe(5);
    await store.recount(instance, await store.begin(instance, positionAt(2)));
    expect((await row()).parked).toBe('6');
  });
});

describe('the number of parked events', () => {
  it('is read from the status row with one request, regardless of the length of the queue', async () => {
    await parkAll(many(2_000));
    const send = database.send.bind(database);
    let requests = 0;
    database.send = (command) => {
      requests++;
      return send(command);
    };
    expect(await store.count(instance)).toBe(2_000);
    expect(requests).toBe(1);
  });

  it('is counted from the stored events while a queue change is in progress', async () => {
    await parkAll(many(2));
    await store.begin(instance, positionAt(3));
    await store.park([parked(3)]);
    expect(await store.count(instance)).toBe(3);
  });

  it('is zero if no event was ever parked', async () => {
    expect(await store.count(instance)).toBe(0);
  });
});
