import { describe, expect, it } from 'vitest';
import { MemoryCheckpoints } from '../../../src/aws-local/event-source/checkpoints.ts';
import { laneOf } from '../../../src/aws-local/event-source/lane-of.ts';
import { failedItems, Harness, onlyShard } from './harness.ts';

const keyOfLane = (lane: number): string =>
  ['a', 'b', 'c', 'd', 'e', 'f'].find((key) => laneOf(key, 2) === lane) ?? '';

describe('the checkpoints of an event source', () => {
  it('let a restart resume after the last processed record', async () => {
    const harness = new Harness();
    const before = harness.stream.put(onlyShard, 'a', 'b');
    await harness.run();
    const after = harness.stream.put(onlyShard, 'c');
    await harness.run();
    expect(harness.batches).toEqual([before, after]);
  });

  it('let a restart resume at the first record that a lane has not completed', async () => {
    const harness = new Harness();
    const [A, B] = [keyOfLane(0), keyOfLane(1)];
    const put = harness.stream.put(onlyShard, A, B, A, B);
    const [, stuck = ''] = put;
    let isStuck = true;
    harness.handler = (batch) => {
      if (isStuck && batch.includes(stuck)) throw new Error('stuck');
    };
    const source = await harness.started({ ParallelizationFactor: 2, BatchSize: 1 });
    await harness.clock.runUntil(source.stop());
    expect(harness.batches).toContainEqual([put[2]]);
    isStuck = false;
    harness.invocations.length = 0;
    await harness.run({ ParallelizationFactor: 2, BatchSize: 1 });
    expect(harness.batches.flat().toSorted()).toEqual(put.slice(1).toSorted());
  });

  it('advance immediately after a partial batch response', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c');
    harness.handler = () => failedItems(put[2]);
    const source = await harness.started({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect((await harness.checkpoints.load()).get(onlyShard)).toEqual({
      at: 'AFTER_SEQUENCE_NUMBER',
      sequenceNumber: put[1],
    });
    await harness.clock.runUntil(source.stop());
  });

  it('do not delay processing while they cannot be saved, and are saved later', async () => {
    const saved = new MemoryCheckpoints();
    let failures = 0;
    const harness = new Harness({
      checkpoints: {
        load: () => saved.load(),
        async save(positions) {
          await harness.clock.sleep(10);
          failures -= 1;
          if (failures >= 0) throw new Error('disk full');
          await saved.save(positions);
        },
      },
    });
    const source = await harness.started({ BatchSize: 1 });
    await harness.clock.runUntil(source.waitUntilIdle());
    failures = 5;
    harness.handler = () => harness.clock.sleep(4);
    const put = harness.stream.put(onlyShard, 'a', 'b', 'c');
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(harness.batches.flat()).toEqual(put);
    await harness.clock.advance(60_000);
    expect((await saved.load()).get(onlyShard)).toMatchObject({ sequenceNumber: put[2] });
    expect(harness.logged).toContain('cannot save checkpoints: disk full');
    await harness.clock.runUntil(source.stop());
  });
});

describe('the starting position', () => {
  async function runFrom(
    properties: Parameters<Harness['run']>[0],
  ): Promise<{ harness: Harness; old: readonly string[]; young: readonly string[] }> {
    const harness = new Harness();
    const old = harness.stream.put(onlyShard, 'a', 'b');
    await harness.clock.advance(10_000);
    const source = await harness.started(properties);
    const young = harness.stream.put(onlyShard, 'c');
    await harness.clock.runUntil(source.waitUntilIdle());
    await harness.clock.runUntil(source.stop());
    return { harness, old, young };
  }

  it('TRIM_HORIZON makes a new consumer read all existing records', async () => {
    const { harness, old, young } = await runFrom({ StartingPosition: 'TRIM_HORIZON' });
    expect(harness.batches.flat()).toEqual([...old, ...young]);
  });

  it('LATEST makes a new consumer read only the records put after its start', async () => {
    const { harness, young } = await runFrom({ StartingPosition: 'LATEST' });
    expect(harness.batches.flat()).toEqual(young);
  });

  it('AT_TIMESTAMP makes a new consumer read the records put since the given time', async () => {
    const harness = new Harness();
    const begin = harness.clock.now();
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(5000);
    const put = harness.stream.put(onlyShard, 'b');
    await harness.clock.advance(5000);
    await harness.run({
      StartingPosition: 'AT_TIMESTAMP',
      StartingPositionTimestamp: (begin + 5000) / 1000,
    });
    expect(harness.batches.flat()).toEqual(put);
  });

  it('is ignored if a checkpoint exists', async () => {
    const { harness } = await runFrom({ StartingPosition: 'TRIM_HORIZON' });
    const put = harness.stream.put(onlyShard, 'd');
    harness.invocations.length = 0;
    await harness.run({ StartingPosition: 'LATEST' });
    expect(harness.batches.flat()).toEqual(put);
  });

  it('LATEST skips no records between the first start and a restart', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    await harness.run({ StartingPosition: 'LATEST' });
    await harness.clock.advance(1000);
    const put = harness.stream.put(onlyShard, 'b');
    await harness.clock.advance(1000);
    await harness.run({ StartingPosition: 'LATEST' });
    expect(harness.batches.flat()).toEqual(put);
  });

  it('LATEST does not affect later shards, which are read from their first record, even after a restart', async () => {
    const harness = new Harness();
    await harness.run({ StartingPosition: 'LATEST' });
    const [left, right] = harness.stream.split(onlyShard);
    const put = [...harness.stream.put(left, 'a'), ...harness.stream.put(right, 'b')];
    await harness.clock.advance(1000);
    await harness.run({ StartingPosition: 'LATEST' });
    expect(harness.batches.flat().toSorted()).toEqual(put.toSorted());
  });

  it('after the start, LATEST skips no records on a shard that is waiting for its parent', async () => {
    const harness = new Harness();
    const [left] = harness.stream.split(onlyShard);
    harness.stream.put(left, 'a');
    await harness.clock.advance(1000);
    harness.stream.failuresToCome = 0;
    const source = harness.source({ StartingPosition: 'LATEST' });
    await source.start();
    const put = harness.stream.put(left, 'b');
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(harness.batches.flat()).toEqual(put);
    await harness.clock.runUntil(source.stop());
  });
});

describe('stopping an event source', () => {
  it('lets invocations in flight finish, saves checkpoints, and starts no new invocations', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a', 'b');
    harness.handler = () => harness.clock.sleep(3000);
    const source = await harness.started({ BatchSize: 1 });
    await harness.clock.runUntil(source.stop());
    expect(harness.batches).toEqual([[put[0]]]);
    expect((await harness.checkpoints.load()).get(onlyShard)).toMatchObject({
      sequenceNumber: put[0],
    });
  });

  it('waits for a limited time and ignores later results', async () => {
    const harness = new Harness({ stopTimeoutMs: 1000 });
    harness.stream.put(onlyShard, 'a');
    let finish = (): void => undefined;
    harness.handler = () => new Promise<void>((resolve) => (finish = resolve));
    const source = await harness.started();
    const begin = harness.clock.now();
    await harness.clock.runUntil(source.stop());
    expect(harness.clock.now() - begin).toBe(1000);
    finish();
    await harness.clock.settle();
    expect((await harness.checkpoints.load()).get(onlyShard)).toEqual({ at: 'TRIM_HORIZON' });
  });

  it('does not wait for the next retry of a batch, which is redelivered after a restart', async () => {
    const harness = new Harness();
    const put = harness.stream.put(onlyShard, 'a');
    harness.handler = () => {
      throw new Error('always');
    };
    const source = await harness.started();
    await harness.clock.advance(60_000);
    const begin = harness.clock.now();
    await harness.clock.runUntil(source.stop());
    expect(harness.clock.now()).toBe(begin);
    harness.handler = () => null;
    await harness.run();
    expect(harness.batches.at(-1)).toEqual(put);
  });

  it('does not invoke the function with the records of an unfinished batching window', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, 'a');
    const source = await harness.started({ MaximumBatchingWindowInSeconds: 300 });
    await harness.clock.runUntil(source.stop());
    expect(harness.invocations).toEqual([]);
  });

  it('resolves pending calls to waitUntilIdle', async () => {
    const harness = new Harness();
    harness.stream.put(onlyShard, 'a');
    harness.handler = () => {
      throw new Error('always');
    };
    const source = await harness.started();
    const idle = source.waitUntilIdle();
    await harness.clock.runUntil(source.stop());
    await expect(idle).resolves.toBeUndefined();
  });
});
