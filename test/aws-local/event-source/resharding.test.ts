import { describe, expect, it } from 'vitest';
import { MemoryCheckpoints } from '../../../src/aws-local/event-source/checkpoints.ts';
import { Harness, onlyShard } from './harness.ts';

const secondShard = 'shardId-000000000001';

describe('shard splits and merges', () => {
  it('let child shards start at TRIM_HORIZON after all records of their parent are processed', async () => {
    const harness = new Harness();
    const before = harness.stream.put(onlyShard, 'a', 'b', 'a');
    const [left, right] = harness.stream.split(onlyShard);
    const after = [...harness.stream.put(left, 'a'), ...harness.stream.put(right, 'b')];
    let failures = 5;
    harness.handler = () => {
      failures -= 1;
      if (failures >= 0) throw new Error('not yet');
    };
    await harness.run();
    expect(harness.batches.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => before));
    expect(harness.batches.slice(6).flat().toSorted()).toEqual(after.toSorted());
  });

  it('are discovered at the end of the parent shard', async () => {
    const harness = new Harness({ discoveryIntervalMs: 1_000_000 });
    const source = await harness.started({ StartingPosition: 'LATEST' });
    const [left] = harness.stream.split(onlyShard);
    const put = harness.stream.put(left, 'a');
    await harness.clock.advance(50);
    expect(harness.batches).toEqual([put]);
    await harness.clock.runUntil(source.stop());
  });

  it('make the child of a merge wait for both parents', async () => {
    const harness = new Harness({ shards: 2 });
    const [first = ''] = harness.stream.put(onlyShard, 'a');
    const [second = ''] = harness.stream.put(secondShard, 'b');
    const child = harness.stream.merge(onlyShard, secondShard);
    const [merged = ''] = harness.stream.put(child, 'a');
    let isStuck = true;
    harness.handler = (batch) => {
      if (isStuck && batch.includes(second)) throw new Error('stuck');
    };
    const source = await harness.started();
    await harness.clock.advance(60_000);
    expect(harness.batches).toContainEqual([first]);
    expect(harness.batches.flat()).not.toContain(merged);
    isStuck = false;
    await harness.clock.runUntil(source.waitUntilIdle());
    expect(harness.batches.at(-1)).toEqual([merged]);
    await harness.clock.runUntil(source.stop());
  });

  it('do not make the child of a merge wait for a parent whose retention period is over', async () => {
    const harness = new Harness({ shards: 2 });
    const child = harness.stream.merge(onlyShard, secondShard);
    harness.stream.forget(secondShard);
    const put = harness.stream.put(child, 'a');
    await harness.run();
    expect(harness.batches).toEqual([put]);
  });

  it('keep the records of a key in order over several generations of shards', async () => {
    const harness = new Harness();
    const put = [...harness.stream.put(onlyShard, 'a')];
    const [left, right] = harness.stream.split(onlyShard);
    put.push(...harness.stream.put(left, 'a'));
    const merged = harness.stream.merge(left, right);
    put.push(...harness.stream.put(merged, 'a'));
    const [last] = harness.stream.split(merged);
    put.push(...harness.stream.put(last, 'a'));
    await harness.run();
    expect(harness.batches.flat()).toEqual(put);
  });

  it('make child shards wait for the remaining records of their parent after a restart', async () => {
    const harness = new Harness();
    const [stuck = ''] = harness.stream.put(onlyShard, 'a');
    const [left] = harness.stream.split(onlyShard);
    const [behind = ''] = harness.stream.put(left, 'a');
    let isStuck = true;
    harness.handler = () => {
      if (isStuck) throw new Error('stuck');
    };
    const source = await harness.started();
    await harness.clock.runUntil(source.stop());
    isStuck = false;
    harness.invocations.length = 0;
    await harness.run();
    expect(harness.batches).toEqual([[stuck], [behind]]);
  });

  it('make child shards wait until the last checkpoint of their parent is saved', async () => {
    class BrokenDisk extends MemoryCheckpoints {
      isBroken = false;
      override async save(...saved: Parameters<MemoryCheckpoints['save']>): Promise<void> {
        if (this.isBroken) throw new Error('disk full');
        await super.save(...saved);
      }
    }
    const checkpoints = new BrokenDisk();
    const harness = new Harness({ checkpoints });
    const source = await harness.started();
    checkpoints.isBroken = true;
    const [parents = ''] = harness.stream.put(onlyShard, 'a');
    const [left] = harness.stream.split(onlyShard);
    const [childs = ''] = harness.stream.put(left, 'a');
    await harness.clock.advance(60_000);
    expect(harness.batches).toEqual([[parents]]);
    checkpoints.isBroken = false;
    await harness.clock.advance(60_000);
    expect(harness.batches).toEqual([[parents], [childs]]);
    await harness.clock.runUntil(source.stop());
  });
});

it('an event source discovers a new shard without parents after the discovery interval', async () => {
  const harness = new Harness({ shards: 0, discoveryIntervalMs: 5000 });
  const source = await harness.started({ StartingPosition: 'TRIM_HORIZON' });
  const shard = harness.stream.addShard({});
  const put = harness.stream.put(shard, 'a');
  await harness.clock.advance(5000);
  expect(harness.batches).toEqual([put]);
  await harness.clock.runUntil(source.stop());
});
