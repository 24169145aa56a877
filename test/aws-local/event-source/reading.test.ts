import { describe, expect, it } from 'vitest';
import { Harness, onlyShard } from './harness.ts';

describe('an event source', () => {
  it('reads without waiting while the shard has more records', async () => {
    const harness = new Harness({ pollIntervalMs: 1000 });
    harness.stream.pageSize = 2;
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c', 'd', 'e');
    const source = await harness.started();
    expect(harness.batches.flat()).toEqual(put);
    await harness.clock.runUntil(source.stop());
  });

  it('waits for the poll interval after a read that returns no records', async () => {
    const harness = new Harness({ pollIntervalMs: 1000 });
    const source = await harness.started();
    const put = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(999);
    expect(harness.batches).toEqual([]);
    await harness.clock.advance(1);
    expect(harness.batches).toEqual([put]);
    await harness.clock.runUntil(source.stop());
  });

  it('waits no longer than the poll interval if the clock is set back during the wait', async () => {
    const harness = new Harness({ pollIntervalMs: 1000 });
    const source = await harness.started();
    const put = harness.stream.put(onlyShard, 'a');
    harness.clock.setBack(1_000_000);
    await harness.clock.advance(1000);
    expect(harness.batches).toEqual([put]);
    await harness.clock.runUntil(source.stop());
  });

  it('reads no more often than once per poll interval while the function processes batches', async () => {
    const harness = new Harness({ pollIntervalMs: 1000 });
    harness.handler = () => harness.clock.sleep(10);
    harness.stream.put(onlyShard, ...Array.from({ length: 50 }, () => 'a'));
    const source = await harness.started({ BatchSize: 1 });
    const { reads } = harness.stream;
    await harness.clock.advance(900);
    expect(harness.stream.reads).toBe(reads);
    await harness.clock.runUntil(source.stop());
  });

  it('reads immediately when a put is announced', async () => {
    const harness = new Harness({ pollIntervalMs: 1_000_000 });
    const source = await harness.started();
    const put = [...harness.stream.put(onlyShard, 'a')];
    source.readNow();
    await harness.clock.settle();
    expect(harness.batches).toEqual([put]);
    const { reads } = harness.stream;
    await harness.clock.advance(1000);
    expect(harness.stream.reads).toBe(reads);
    await harness.clock.runUntil(source.stop());
  });

  it('reads only the shard of an announced put', async () => {
    const harness = new Harness({ pollIntervalMs: 1_000_000, shards: 2 });
    const source = await harness.started();
    const { reads } = harness.stream;
    const put = [...harness.stream.put(onlyShard, 'a')];
    source.readNow(onlyShard);
    await harness.clock.settle();
    expect(harness.batches).toEqual([put]);
    expect(harness.stream.reads - reads).toBe(1);
    await harness.clock.runUntil(source.stop());
  });

  it('reads all shards if it does not know the shard of an announced put', async () => {
    const harness = new Harness({ pollIntervalMs: 1_000_000 });
    const source = await harness.started();
    const before = [...harness.stream.put(onlyShard, 'a')];
    const [child] = harness.stream.split(onlyShard);
    const after = [...harness.stream.put(child, 'b')];
    source.readNow(child);
    await harness.clock.settle();
    expect(harness.batches).toEqual([before, after]);
    await harness.clock.runUntil(source.stop());
  });

  it('reads immediately, even before the minimum read interval has passed, if no batch is in progress', async () => {
    const harness = new Harness({ pollIntervalMs: 1_000_000, minimumReadIntervalMs: 50 });
    const source = await harness.started();
    const put: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      put.push(...harness.stream.put(onlyShard, 'a'));
      source.readNow();
      await harness.clock.settle();
      expect(harness.batches.flat()).toEqual(put);
    }
    await harness.clock.runUntil(source.stop());
  });

  it.each([
    ['a batch', { batchMs: 2000 }],
    ['a wait for capacity', { capacityMs: 2000 }],
    ['a batching window', { windowSeconds: 1 }],
  ])('respects the minimum read interval during %s', async (_, waits) => {
    const {
      batchMs = 0,
      capacityMs = 0,
      windowSeconds = 0,
    }: Partial<Record<string, number>> = waits;
    const harness: Harness = new Harness({
      pollIntervalMs: 1_000_000,
      minimumReadIntervalMs: 50,
      waitForCapacity: () => harness.clock.sleep(capacityMs),
    });
    harness.handler = () => harness.clock.sleep(batchMs);
    const source = await harness.started({ MaximumBatchingWindowInSeconds: windowSeconds });
    const { reads } = harness.stream;
    const put: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      put.push(...harness.stream.put(onlyShard, 'a'));
      source.readNow();
      await harness.clock.advance(10);
    }
    expect(harness.stream.reads - reads).toBeLessThanOrEqual(22);
    await harness.clock.advance(5000);
    expect(harness.batches.flat()).toEqual(put);
    await harness.clock.runUntil(source.stop());
  });

  it('keeps its position if the stream throttles reads or is unavailable', async () => {
    const harness = new Harness();
    const source = await harness.started();
    const put = [...harness.stream.put(onlyShard, 'a')];
    await harness.clock.advance(50);
    harness.stream.failuresToCome = 7;
    put.push(...harness.stream.put(onlyShard, 'b', 'c'));
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(harness.batches.flat()).toEqual(put);
    expect(harness.logged.join()).toContain('ProvisionedThroughputExceeded');
    await harness.clock.runUntil(source.stop());
  });

  it('starts to read as soon as the shards can be listed', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    harness.stream.failuresToCome = 4;
    await harness.run();
    expect(harness.batches.flat()).toEqual(put);
  });

  it('becomes idle when all earlier puts are processed, without waiting for the poll interval', async () => {
    const harness = new Harness({ pollIntervalMs: 1_000_000 });
    const source = await harness.started();
    const begin = harness.clock.now();
    const put = harness.stream.put(onlyShard, 'a');
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(harness.batches.flat()).toEqual(put);
    expect(harness.clock.now()).toBe(begin);
    await harness.clock.runUntil(source.stop());
  });
});
