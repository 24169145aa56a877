import { describe, expect, it } from 'vitest';
import { indexPartitionGrowth } from '../../src/clock/grow-index-partitions.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Creates a stream with the given number of shards, and records the announced numbers of partitions. */
function world(shards: number | undefined) {
  const announced: number[] = [];
  const stream = { shards, isUnavailable: false };
  const clock = new ManualClock();
  const grow = indexPartitionGrowth({
    openShards: () =>
      stream.isUnavailable
        ? Promise.reject(new Error('no response in time'))
        : Promise.resolve(stream.shards),
    partitions: {
      raise: (count) => {
        announced.push(count);
        return Promise.resolve();
      },
    },
    clock,
  });
  return { stream, announced, clock, grow };
}

describe('the clock', () => {
  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 8],
    [125, 256],
    [1_250, 4_096],
  ])(
    'announces two index partitions per shard, rounded up to a power of two (shards: %i, partitions: %i)',
    async (shards, count) => {
      const { announced, grow } = world(shards);
      await grow();
      expect(announced).toEqual([count]);
    },
  );

  it('announces nothing for a stream that does not exist', async () => {
    const { announced, grow } = world(undefined);
    await grow();
    expect(announced).toEqual([]);
  });

  it('checks the stream at most once every thirty seconds', async () => {
    const { announced, clock, grow, stream } = world(1);
    await grow();
    stream.shards = 4;
    await clock.advance(29_999);
    await grow();
    expect(announced).toEqual([2]);
    await clock.advance(1);
    await grow();
    expect(announced).toEqual([2, 8]);
  });

  it('checks again in the next run if a check failed', async () => {
    const { announced, grow, stream } = world(4);
    stream.isUnavailable = true;
    await expect(grow()).rejects.toThrow('no response in time');
    stream.isUnavailable = false;
    await grow();
    expect(announced).toEqual([8]);
  });
});
