import { describe, expect, it } from 'vitest';
import type { Shard } from '../../../src/aws-local/event-source/shards.ts';
import { startableShards } from '../../../src/aws-local/event-source/shards.ts';

function ready(shards: readonly Shard[], started: string[], finished: string[]): string[] {
  return startableShards(shards, new Set(started), new Set(finished)).map((shard) => shard.id);
}

const split: readonly Shard[] = [
  { id: 'parent' },
  { id: 'left', parentId: 'parent' },
  { id: 'right', parentId: 'parent' },
];
const merged: readonly Shard[] = [
  { id: 'one' },
  { id: 'two' },
  { id: 'child', parentId: 'one', adjacentParentId: 'two' },
];

describe('startableShards', () => {
  it('returns each shard without parents only once', () => {
    expect(ready([{ id: 'a' }, { id: 'b' }], [], [])).toEqual(['a', 'b']);
    expect(ready([{ id: 'a' }, { id: 'b' }], ['a'], [])).toEqual(['b']);
  });

  it('returns the children of a split only when the parent is finished', () => {
    expect(ready(split, [], [])).toEqual(['parent']);
    expect(ready(split, ['parent'], [])).toEqual([]);
    expect(ready(split, ['parent'], ['parent'])).toEqual(['left', 'right']);
  });

  it('returns the child of a merge only when both parents are finished', () => {
    expect(ready(merged, ['one', 'two'], ['one'])).toEqual([]);
    expect(ready(merged, ['one', 'two'], ['two'])).toEqual([]);
    expect(ready(merged, ['one', 'two'], ['one', 'two'])).toEqual(['child']);
  });

  it('ignores a parent whose retention period is over', () => {
    expect(ready(split.slice(1), [], [])).toEqual(['left', 'right']);
    expect(ready([merged[0]!, merged[2]!], ['one'], ['one'])).toEqual(['child']);
    expect(ready([merged[1]!, merged[2]!], ['two'], [])).toEqual([]);
  });

  it('returns grandchildren only after their parents, even if the grandparents are not listed', () => {
    const shards = [...split, { id: 'grandchild', parentId: 'left', adjacentParentId: 'right' }];
    expect(ready(shards, ['parent'], ['parent'])).toEqual(['left', 'right']);
    expect(ready(shards.slice(1), [], [])).toEqual(['left', 'right']);
  });
});
