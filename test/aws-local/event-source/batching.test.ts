import { describe, expect, it } from 'vitest';
import { cutBatch, maximumPayloadBytes } from '../../../src/aws-local/event-source/batch-queue.ts';
import {
  eventRecordBytes,
  kinesisEvent,
} from '../../../src/aws-local/event-source/kinesis-event.ts';
import { Harness, mappingIdentity, onlyShard } from './harness.ts';

describe('an event source with a batch size and a batching window', () => {
  it('invokes the function immediately if there is no window', async () => {
    const harness = new Harness();
    const source = await harness.started();
    const [first] = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(50);
    expect(harness.batches).toEqual([[first]]);
    await harness.clock.runUntil(source.stop());
  });

  it('splits waiting records into batches of at most the batch size, in order', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c', 'd', 'e');
    await harness.run({ BatchSize: 2 });
    expect(harness.batches).toEqual([put.slice(0, 2), put.slice(2, 4), put.slice(4)]);
  });

  it('forms a batch only when the function has capacity, and includes the records that have arrived by then', async () => {
    const turns: (() => void)[] = [];
    const turn = () => new Promise<void>((resolve) => void turns.push(resolve));
    const harness = new Harness({ waitForCapacity: turn });
    const put = [...harness.stream.put(onlyShard, 'a')];
    const source = await harness.started({ BatchSize: 2 });
    put.push(...harness.stream.put(onlyShard, 'b', 'c'));
    await harness.clock.advance(50);
    expect(harness.batches).toEqual([]);
    turns[0]!();
    await harness.clock.settle();
    expect(harness.batches).toEqual([put.slice(0, 2)]);
    turns[1]!();
    await harness.clock.settle();
    expect(harness.batches).toEqual([put.slice(0, 2), put.slice(2)]);
    await harness.clock.runUntil(source.stop());
  });

  it('invokes the function when the batch size is reached before the window ends', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c');
    const source = await harness.started({ BatchSize: 2, MaximumBatchingWindowInSeconds: 10 });
    expect(harness.batches).toEqual([put.slice(0, 2)]);
    await harness.clock.runUntil(source.stop());
  });

  it('invokes the function with the available records when the window that began with the first record ends', async () => {
    const harness = new Harness();
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 10 });
    const begin = harness.clock.now();
    await harness.clock.advance(7000);
    const first = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(6000);
    const second = harness.stream.put(onlyShard, 'b');
    await harness.clock.advance(3999);
    expect(harness.batches).toEqual([]);
    await harness.clock.advance(60);
    expect(harness.batches).toEqual([[...first, ...second]]);
    expect(harness.invocations[0]?.at).toBeGreaterThanOrEqual(begin + 17_000);
    await harness.clock.runUntil(source.stop());
  });

  it('does not prolong a window if the clock is set back during the window', async () => {
    const harness = new Harness();
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 10 });
    const put = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    harness.clock.setBack(1_000_000);
    await harness.clock.advance(10_000);
    expect(harness.batches).toEqual([put]);
    await harness.clock.runUntil(source.stop());
  });

  it('starts the next window when the previous batch is done', async () => {
    const harness = new Harness();
    harness.handler = () => harness.clock.sleep(5000);
    harness.stream.put(onlyShard, 'a', 'b', 'c');
    const source = await harness.started({ BatchSize: 2, MaximumBatchingWindowInSeconds: 10 });
    await harness.clock.advance(14_999);
    expect(harness.invocations).toHaveLength(1);
    await harness.clock.advance(1);
    expect(harness.invocations).toHaveLength(2);
    await harness.clock.runUntil(source.stop());
  });

  it('does not wait for the end of the window at the end of a shard', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    harness.stream.split(onlyShard);
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 300 });
    expect(harness.batches).toEqual([put]);
    await harness.clock.runUntil(source.stop());
  });
});

describe('an event source with the payload limit of 6 MB', () => {
  it('invokes the function without waiting for more records when the next record would exceed the limit', async () => {
    const harness = new Harness();
    const megabyte = new Uint8Array(1024 * 1024);
    for (const key of ['a', 'b', 'c', 'd', 'e']) harness.stream.putData(onlyShard, key, megabyte);
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 10 });
    // In Base64, 5 MB become 6.67 MB, and 4 MB become 5.33 MB.
    expect(harness.batches.map((batch) => batch.length)).toEqual([4]);
    await harness.clock.advance(10_000);
    expect(harness.batches.map((batch) => batch.length)).toEqual([4, 1]);
    for (const { event } of harness.invocations) {
      expect(JSON.stringify(event).length).toBeLessThanOrEqual(maximumPayloadBytes);
    }
    await harness.clock.runUntil(source.stop());
  });

  it('calculates the exact size of the event', () => {
    const records = ['é"\\\n', '鍵', ''].map((partitionKey, length) => ({
      sequenceNumber: '1',
      partitionKey,
      data: new Uint8Array(length),
      arrivedAt: 1_700_000_000_123,
    }));
    const event = kinesisEvent(records, onlyShard, mappingIdentity);
    const size = Buffer.byteLength(JSON.stringify(event));
    const waiting = records.map((record) => ({
      bytes: eventRecordBytes(record, onlyShard, mappingIdentity),
    }));
    const count = (maxBytes: number) => cutBatch(waiting, { maxRecords: 10, maxBytes }).count;
    expect(count(size)).toBe(3);
    expect(count(size - 1)).toBe(2);
  });

  it('sends a single record that exceeds the limit in a separate batch', () => {
    const waiting = [{ bytes: 50 }, { bytes: 5000 }, { bytes: 50 }];
    const limits = { maxRecords: 10, maxBytes: 1000 };
    expect(cutBatch(waiting, limits)).toEqual({ count: 1, full: true });
    expect(cutBatch(waiting.slice(1), limits)).toEqual({ count: 1, full: true });
  });
});
