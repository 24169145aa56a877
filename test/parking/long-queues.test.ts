import { beforeEach, describe, expect, it } from 'vitest';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Call, ParkingWorld } from '../support/models/parking-world.ts';

const batchSize = 500;
let clock: ManualClock;
let world: ParkingWorld;
let requests: number;

beforeEach(() => {
  clock = new ManualClock();
  world = new ParkingWorld(clock);
  requests = 0;
});

/** Makes requests take 5 ms and invocations of the model take 200 ms, and counts the requests. */
const timed: Call = async (effect, name) => {
  if (name !== 'Invoke') requests++;
  await clock.sleep(name === 'Invoke' ? 200 : 5);
  return effect();
};
const deliver = (records: readonly StreamRecord[]) => clock.runUntil(world.deliver(records, timed));

/** Delivers the records in batches. Returns the maximum duration of a delivery in milliseconds. */
async function deliverAll(records: readonly StreamRecord[]): Promise<number> {
  let longest = 0;
  for (let n = 0; n < records.length; n += batchSize) {
    const started = clock.now();
    expect(await deliver(records.slice(n, n + batchSize))).toEqual([]);
    longest = Math.max(longest, clock.now() - started);
  }
  return longest;
}

/** Parks `count` events of the instance A. Returns the maximum duration of a delivery in milliseconds. */
async function parkMany(count: number): Promise<number> {
  await deliver([world.record('A', 'poison', 'failed')]);
  requests = 0;
  const waiting = Array.from({ length: count - 1 }, (_, n) => world.record('A', `a${n}`));
  return deliverAll(waiting);
}

const ids = (count: number) => ['poison', ...Array.from({ length: count - 1 }, (_, n) => `a${n}`)];

describe('events queued behind a parked event', () => {
  it('take fewer than 300 requests for 3,000 events, and delay a batch by less than a second', async () => {
    const longest = await parkMany(3_000);
    expect(world.parked('A')).toEqual(ids(3_000));
    expect(requests).toBeLessThan(300);
    expect(longest).toBeLessThan(1_000);
  });

  it('take as many requests behind a long queue as behind a short queue', async () => {
    const requestsFor500 = async () => {
      requests = 0;
      await deliverAll(Array.from({ length: 500 }, (_, n) => world.record('A', `more${n}`)));
      return requests;
    };
    await parkMany(1);
    const behindOne = await requestsFor500();
    await deliverAll(Array.from({ length: 5_000 }, (_, n) => world.record('A', `b${n}`)));
    expect(await requestsFor500()).toBe(behindOne);
  });
});

describe('a redrive of a long queue', () => {
  it('takes fewer than 2,000 requests for a queue of 10,000 events', async () => {
    await parkMany(10_000);
    world.isBroken = false;
    requests = 0;
    await deliver([world.redrive('A')]);
    while (world.continued.length > 0) await deliver(world.continued.splice(0));
    expect(world.parked('A')).toEqual([]);
    expect(await world.applied('A')).toEqual(ids(10_000));
    expect(requests).toBeLessThan(2_000);
  });

  it('lets events of other instances continue, and then resumes', async () => {
    await parkMany(10_000);
    world.isBroken = false;
    expect(await deliverAll([world.redrive('A')])).toBeLessThan(3_000);
    expect(await deliver([world.record('B', 'b')])).toEqual([]);
    expect(await world.applied('B')).toEqual(['b']);
    const left = world.parked('A').length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(10_000);
    expect(world.continued.map(({ partitionKey }) => partitionKey)).toEqual(['A']);
    while (world.continued.length > 0)
      expect(await deliverAll(world.continued.splice(0))).toBeLessThan(3_000);
    expect(world.parked('A')).toEqual([]);
  });

  it('does not resume if the model fails on the first event', async () => {
    await parkMany(1_000);
    await deliver([world.redrive('A')]);
    expect(world.continued).toEqual([]);
    expect(world.parked('A')).toEqual(ids(1_000));
  });

  it('runs once if a batch contains several redrive requests for the instance', async () => {
    const requestsFor = async (redrives: number) => {
      world = new ParkingWorld(clock);
      await parkMany(1_000);
      requests = 0;
      await deliver(Array.from({ length: redrives }, () => world.redrive('A')));
      return requests;
    };
    expect(await requestsFor(3)).toBe(await requestsFor(1));
  });
});
