import { describe, expect, it } from 'vitest';
import { laneOf } from '../../../src/aws-local/event-source/lane-of.ts';
import { Harness, onlyShard } from './harness.ts';

/** Partition keys. The key at index n belongs to lane n. */
const partitionKeys = [0, 1, 2].map(
  (lane) => ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].find((key) => laneOf(key, 3) === lane) ?? '',
);
const [A = '', B = '', C = ''] = partitionKeys;

describe('an event source with a parallelization factor', () => {
  it('distributes keys evenly over the lanes', () => {
    const lanes = Array.from({ length: 1000 }, (_, n) => laneOf(`ATV-${n}`, 10));
    for (let lane = 0; lane < 10; lane += 1) {
      expect(lanes.filter((other) => other === lane).length).toBeGreaterThan(60);
    }
  });

  it('runs as many batches of a shard concurrently as the factor allows', async () => {
    const harness = new Harness();
    let running = 0;
    let most = 0;
    harness.handler = async () => {
      running += 1;
      most = Math.max(most, running);
      await harness.clock.sleep(1000);
      running -= 1;
    };
    for (let n = 0; n < 100; n += 1) harness.stream.put(onlyShard, `key-${n}`);
    await harness.run({ ParallelizationFactor: 3, BatchSize: 5 });
    expect(most).toBe(3);
  });

  it('runs one batch at a time by default', async () => {
    const harness = new Harness();
    harness.handler = () => harness.clock.sleep(1000);
    harness.stream.put(onlyShard, A, B, C);
    const source = await harness.started({ BatchSize: 1 });
    expect(harness.invocations).toHaveLength(1);
    await harness.clock.runUntil(source.stop());
  });

  it('starts the next batch of a key only after all retries of the previous batch', async () => {
    const harness = new Harness();
    const [first = '', second = ''] = harness.stream.put(onlyShard, A, A);
    let failures = 3;
    harness.handler = () => {
      failures -= 1;
      if (failures >= 0) throw new Error('not yet');
    };
    await harness.run({ ParallelizationFactor: 3, BatchSize: 1 });
    expect(harness.batches).toEqual([[first], [first], [first], [first], [second]]);
  });

  it('continues with other lanes if one lane fails permanently', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, A);
    harness.handler = (batch) => {
      if (batch.includes('98')) throw new Error('always');
    };
    const source = await harness.started({ ParallelizationFactor: 3, BatchSize: 10 });
    const others: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      others.push(...harness.stream.put(onlyShard, B, C));
      await harness.clock.advance(100);
    }
    const processed = harness.batches.flat().filter((sequenceNumber) => sequenceNumber !== '98');
    expect(processed.toSorted()).toEqual(others.toSorted());
    await harness.clock.runUntil(source.stop());
  });

  it('continues with other shards if one shard fails permanently', async () => {
    const harness = new Harness({ shards: 2 });
    const [bad = ''] = harness.stream.put(onlyShard, A);
    harness.handler = (batch) => {
      if (batch.includes(bad)) throw new Error('always');
    };
    const source = await harness.started();
    const [good] = harness.stream.put('shardId-000000000001', A);
    await harness.clock.advance(50);
    expect(harness.batches).toContainEqual([good]);
    await harness.clock.runUntil(source.stop());
  });
});

describe('an event source that combines lanes', () => {
  const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`);

  it('forms one batch of all waiting records, in shard order', async () => {
    const harness = new Harness({ combineLanes: true });
    const put = harness.stream.put(onlyShard, ...keys);
    await harness.run({ ParallelizationFactor: 10 });
    expect(harness.batches).toEqual([put]);
  });

  it('fills a batch with all waiting records of the keys that have waited longest, in shard order', async () => {
    const harness = new Harness({ combineLanes: true });
    const [a1, b1, c1, a2, b2, c2] = harness.stream.put(onlyShard, 'a', 'b', 'c', 'a', 'b', 'c');
    await harness.run({ BatchSize: 4, ParallelizationFactor: 10 });
    expect(harness.batches).toEqual([
      [a1, b1, a2, b2],
      [c1, c2],
    ]);
  });

  it('keeps all records of a shard in order with a parallelization factor of 1, as AWS does', async () => {
    const harness = new Harness({ combineLanes: true });
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c', 'a', 'b', 'c');
    await harness.run({ BatchSize: 4, ParallelizationFactor: 1 });
    expect(harness.batches).toEqual([put.slice(0, 4), put.slice(4)]);
  });

  it('alternates between keys if the records of a key do not fit into one batch', async () => {
    const harness = new Harness({ combineLanes: true });
    const [a1, a2, a3, b1, a4] = harness.stream.put(onlyShard, 'a', 'a', 'a', 'b', 'a');
    await harness.run({ BatchSize: 2, ParallelizationFactor: 2 });
    expect(harness.batches).toEqual([[a1, a2], [b1], [a3, a4]]);
  });

  it('runs as many batches of a shard concurrently as the factor allows', async () => {
    const harness = new Harness({ combineLanes: true });
    harness.handler = () => harness.clock.sleep(1000);
    harness.stream.put(onlyShard, ...keys);
    const source = await harness.started({ ParallelizationFactor: 3, BatchSize: 5 });
    expect(harness.invocations).toHaveLength(3);
    await harness.clock.advance(1000);
    expect(harness.invocations).toHaveLength(4);
    await harness.clock.runUntil(source.stop());
  });

  it('does not add a record to a batch while its key is in another batch', async () => {
    const harness = new Harness({ combineLanes: true });
    const [slow = ''] = harness.stream.put(onlyShard, 'a');
    harness.handler = (batch) => (batch.includes(slow) ? harness.clock.sleep(1000) : null);
    const source = await harness.started({ ParallelizationFactor: 2 });
    const [ofB, ofA, ofC, again] = harness.stream.put(onlyShard, 'b', 'a', 'c', 'b');
    await harness.clock.advance(50);
    expect(harness.batches).toEqual([[slow], [ofB, ofC, again]]);
    await harness.clock.advance(1000);
    expect(harness.batches.at(-1)).toEqual([ofA]);
    await harness.clock.runUntil(source.stop());
  });

  it('continues with other keys if one batch fails permanently', async () => {
    const harness = new Harness({ combineLanes: true });
    const [bad = ''] = harness.stream.put(onlyShard, 'a');
    harness.handler = (batch) => {
      if (batch.includes(bad)) throw new Error('always');
    };
    const source = await harness.started({ ParallelizationFactor: 2 });
    const others = harness.stream.put(onlyShard, ...keys, ...keys);
    await harness.clock.advance(1000);
    const processed = harness.batches.flat().filter((sequenceNumber) => sequenceNumber !== bad);
    expect(processed).toEqual(others);
    await harness.clock.runUntil(source.stop());
  });

  it('finishes a closed shard only after the remaining records of busy keys are processed', async () => {
    const harness = new Harness({ combineLanes: true });
    harness.handler = () => harness.clock.sleep(1000);
    const before = harness.stream.put(onlyShard, 'a', 'a', 'a');
    const [child] = harness.stream.split(onlyShard);
    const after = harness.stream.put(child, 'a');
    await harness.run({ ParallelizationFactor: 2, BatchSize: 1 });
    expect(harness.batches.flat()).toEqual([...before, ...after]);
  });
});

describe('the backpressure of an event source', () => {
  it('stops reading at the maximum number of records beyond the checkpoint, and continues when the checkpoint advances', async () => {
    const harness = new Harness({ readAheadRecords: 10 });
    const [stuck = ''] = harness.stream.put(onlyShard, A);
    const put = [stuck];
    for (let n = 0; n < 30; n += 1) put.push(...harness.stream.put(onlyShard, B));
    let isStuck = true;
    harness.handler = (batch) => {
      if (isStuck && batch.includes(stuck)) throw new Error('stuck');
    };
    const source = await harness.started({ ParallelizationFactor: 3, BatchSize: 5 });
    await harness.clock.advance(60_000);
    expect(new Set(harness.batches.flat()).size).toBe(10);
    isStuck = false;
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(new Set(harness.batches.flat())).toEqual(new Set(put));
    await harness.clock.runUntil(source.stop());
  });

  it('limits the records in memory to about two payloads per lane', async () => {
    const harness = new Harness();
    harness.stream.pageSize = 1;
    harness.handler = () => harness.clock.sleep(1000);
    for (let n = 0; n < 40; n += 1)
      harness.stream.putData(onlyShard, A, new Uint8Array(1024 * 1024));
    const read = () => harness.stream.recordsRead;
    const source = await harness.started({ BatchSize: 4 });
    expect(read()).toBeLessThan(12);
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(read()).toBe(40);
    expect(harness.batches.flat()).toHaveLength(40);
    await harness.clock.runUntil(source.stop());
  });
});
