import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/aws/client/dynamodb.ts';
import {
  bodyKeysOf,
  commitFrom,
  StoredCommit,
  toItems,
} from '../../../src/aws/instances/commit-item.ts';
import { commitOf, entryOf, seenAfter } from '../../support/data/commits.ts';
import { fullCommits } from '../../support/data/full-commits.ts';

const key = { model: 'm'.repeat(64), transaction: '🚲'.repeat(256) };
const maximumItemBytes = 400 * 1024;

/**
 * The size of an item as DynamoDB calculates it, in bytes. Numbers have their maximum size.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function sizeOf(item: Item): number {
  return Object.entries(item).reduce((sum, [name, { S, B }]) => {
    const value = S === undefined ? (B?.byteLength ?? 21) : Buffer.byteLength(S);
    return sum + Buffer.byteLength(name) + value;
  }, 0);
}

describe('the items of a commit', () => {
  it('consist of a single item of one write unit for a typical event', () => {
    const device = { model: 'activation', transaction: 'ATV-123' };
    const state = JSON.stringify({ created_at: 1, app: { mail: { token: 'A1B2C3', failed: 0 } } });
    const usual = entryOf(device, { data: '{"service":"mail","token":"A1B2C3"}', state });
    const { commit, bodies } = toItems(commitOf(device, 3, { entries: [usual], state }));
    expect(bodies).toEqual([]);
    expect(sizeOf(commit)).toBeLessThan(1024);
  });

  it('refer to large data in one separate item, even if several events contain the data', () => {
    const large = JSON.stringify('x'.repeat(100_000));
    const entries = [large, '1', large].map((data) => entryOf(key, { data }));
    const made = commitOf(key, 1, { entries });
    const { commit, bodies } = toItems(made);
    expect(sizeOf(commit)).toBeLessThan(4 * 1024);
    const keys = bodyKeysOf(new StoredCommit(commit));
    expect(bodies.map(({ sk }) => sk?.S)).toEqual([keys[0]]);
    expect(keys[1]).toBe(keys[0]);
  });

  it('are unreadable if the item with the data is missing', () => {
    const entries = [entryOf(key, { data: JSON.stringify('x'.repeat(100_000)) })];
    const { commit } = toItems(commitOf(key, 1, { entries }));
    expect(() => commitFrom(new StoredCommit(commit))).toThrow(/the item .*BODY#.* is missing/);
  });

  it.each(['heard', 'marks', 'description'])(
    'are unreadable without the attribute %s, which every commit has',
    (name) => {
      const { commit } = toItems(commitOf(key, 1));
      const { [name]: _removed, ...rest } = commit;
      expect(() => commitFrom(new StoredCommit(rest))).toThrow(
        new TypeError(`the item ${commit.pk!.S} ${commit.sk!.S} has no attribute ${name}`),
      );
    },
  );

  it.each(fullCommits)(
    'fit within the size limits for the largest possible commit with %s',
    (_, made) => {
      const { commit, bodies } = toItems(made(key));
      expect(sizeOf(commit)).toBeGreaterThan(200 * 1024);
      expect(sizeOf(commit)).toBeLessThan(maximumItemBytes);
      expect(bodies).toEqual([]);
    },
  );

  it('fit within the size limits for a long history', () => {
    const made = (events: number) => toItems(commitOf(key, 1, { seen: seenAfter(events) })).commit;
    expect(sizeOf(made(1_000)) - sizeOf(made(0))).toBeLessThan(1.75 * 1024);
    // All 2,500 events are in one commit. Their fingerprints are flushed only by the next commit.
    expect(sizeOf(made(2_500)) - sizeOf(made(0))).toBeLessThan(4 * 1024);
  });
});
