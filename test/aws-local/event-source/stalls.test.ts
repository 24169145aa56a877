import { describe, expect, it } from 'vitest';
import { Harness, onlyShard } from './harness.ts';

const minute = 60_000;
const never = () => new Promise<never>(() => {});

describe('a stalled shard', () => {
  it('is reported with the reason and the start of the stall, and logged once', async () => {
    const harness = new Harness({ waitForCapacity: never, stopTimeoutMs: 0 });
    const source = await harness.started();
    harness.stream.put(onlyShard, 'a');
    const putAt = harness.clock.now();
    await harness.clock.advance(1000);
    expect(source.stalledShards()).toEqual([]);

    await harness.clock.advance(5 * minute);

    const stalled = source.stalledShards();
    expect(stalled).toEqual([
      {
        shardId: onlyShard,
        since: expect.any(Number),
        reason: 'the shard has records, but no invocation processes them',
      },
    ]);
    expect(stalled[0]!.since).toBeGreaterThanOrEqual(putAt);
    expect(stalled[0]!.since).toBeLessThanOrEqual(putAt + 1000);
    const told = harness.logged.filter((line) => line.includes('no progress'));
    expect(told).toEqual([
      'the shard makes no progress: the shard has records, but no invocation processes them',
    ]);
    await harness.clock.runUntil(source.stop());
  });

  it('is no longer reported when it can be read again', async () => {
    const harness = new Harness();
    const source = await harness.started();
    const put = harness.stream.put(onlyShard, 'a');
    harness.stream.failuresToCome = Number.POSITIVE_INFINITY;
    await harness.clock.advance(5 * minute);

    expect(source.stalledShards()).toContainEqual({
      shardId: onlyShard,
      since: expect.any(Number),
      reason: 'the shard cannot be read: ProvisionedThroughputExceeded',
    });

    harness.stream.failuresToCome = 0;
    await harness.clock.advance(minute);
    expect(harness.batches.flat()).toEqual(put);
    expect(source.stalledShards()).toEqual([]);
    expect(harness.logged.at(-1)).toBe('the shard makes progress again');
    await harness.clock.runUntil(source.stop());
  });

  it('is reported if reading fails for any reason, such as record data that is not bytes', async () => {
    const harness = new Harness();
    const source = await harness.started();
    harness.stream.putData(onlyShard, 'a', { type: 'Buffer', data: [1] } as unknown as Uint8Array);
    await harness.clock.advance(5 * minute);

    expect(source.stalledShards()).toMatchObject([
      { shardId: onlyShard, reason: 'the shard is not being read' },
    ]);
    await harness.clock.runUntil(source.stop());
  });

  it('is reported without a shard id while the shards of the stream cannot be listed', async () => {
    const harness = new Harness();
    harness.stream.failuresToCome = Number.POSITIVE_INFINITY;
    const source = await harness.started();
    await harness.clock.advance(5 * minute);

    expect(source.stalledShards()).toMatchObject([
      { shardId: null, reason: 'cannot list the shards: ProvisionedThroughputExceeded' },
    ]);

    harness.stream.failuresToCome = 0;
    await harness.clock.advance(minute);
    expect(source.stalledShards()).toEqual([]);
    await harness.clock.runUntil(source.stop());
  });
});

describe('a shard', () => {
  it('is not stalled while it has no records to read', async () => {
    const harness = new Harness();
    const source = await harness.started();
    await harness.clock.advance(5 * minute);
    expect(source.stalledShards()).toEqual([]);
    await harness.clock.runUntil(source.stop());
  });

  it('is not stalled while the function is unavailable and its batches are retried', async () => {
    const harness = new Harness({ stopTimeoutMs: 0 });
    const source = await harness.started({ ParallelizationFactor: 2, BatchSize: 1 });
    harness.service = () => ({ kind: 'unavailable', message: 'not here' });
    harness.stream.put(onlyShard, 'a', 'b', 'a', 'b', 'c', 'd');
    await harness.clock.advance(10 * minute);
    expect(source.stalledShards()).toEqual([]);
    await harness.clock.runUntil(source.stop());
  });

  it('is not stalled while a batch waits for the end of its window', async () => {
    const harness = new Harness();
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 300 });
    const put = harness.stream.put(onlyShard, 'a');
    for (let passed = 0; passed < 6; passed += 1) {
      await harness.clock.advance(minute);
      expect(source.stalledShards()).toEqual([]);
    }
    expect(harness.batches.flat()).toEqual(put);
    await harness.clock.runUntil(source.stop());
  });
});
