import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InstanceKey } from '../../../../src/core/event/event.ts';
import { headOf } from '../../../../src/core/history/commit.ts';
import { addFingerprints, emptySeen } from '../../../../src/core/history/seen.ts';
import { statusRow } from '../../../../src/core/status/status-row.ts';
import type { InstanceStore } from '../../../../src/stores/instance-store.ts';
import { commitOf, entryOf } from '../../../support/data/commits.ts';
import { accessTo, newKey, type StoreUnderTest } from './store-under-test.ts';

/** Defines the tests of optimistic reads and status rows. */
export function statusRowsCases(underTest: () => StoreUnderTest): void {
  const { writeAll, newestOf } = accessTo(underTest);

  const newKeys = (length: number) => Array.from({ length }, () => newKey());
  const writeInstances = async (length: number) => {
    const commits = newKeys(length).map((key) => commitOf(key, 1));
    await writeAll(commits);
    await underTest().store.writeStatus(commits);
    return commits;
  };

  // A store reads up to three instances with one query each. If there are more instances, it reads their status rows
  // with batch requests, and then the latest commits of up to two hundred instances with queries.
  describe.each([
    ['a single instance', () => []],
    ['one of many new instances', () => newKeys(10)],
    ['one of many existing instances', () => writeInstances(10)],
    ['one of more than two hundred existing instances', () => writeInstances(201)],
  ])('readOptimistic for %s', (_, createOthers) => {
    let others: readonly InstanceKey[];
    beforeEach(async () => {
      others = await createOthers();
    });
    const read = async (store: InstanceStore, key: InstanceKey) => {
      const answers = await store.readOptimistic([key, ...others]);
      return answers[0]!;
    };
    const recent = async (store: InstanceStore, keys: readonly InstanceKey[]) => {
      const found: [number | undefined, boolean][] = [];
      for (const key of keys) {
        const answer = await read(store, key);
        if ('error' in answer) throw answer.error;
        found.push([answer.value.head?.version, answer.value.mayHaveParked]);
      }
      return found;
    };

    it('finds the commits of its own process, and commits of other processes through the status row', async () => {
      const { store, other } = underTest();
      const [own, told, ahead, none] = [newKey(), newKey(), newKey(), newKey()];
      await writeAll([commitOf(own, 1), commitOf(own, 2), commitOf(told, 1), commitOf(ahead, 1)]);
      await store.writeStatus([commitOf(told, 1), commitOf(ahead, 1)]);
      await writeAll([2, 3, 4].map((version) => commitOf(ahead, version)));
      const keys = [none, own, told, ahead];
      const versions = [undefined, 2, 1, 4].map((version) => [version, false]);
      expect(await recent(store, keys)).toEqual(versions);
      // If an instance has neither commits nor a status row, an optimistic read finds nothing.
      const ofOther = await recent(other, [none, told, ahead]);
      expect(ofOther).toEqual([undefined, 1, 4].map((version) => [version, false]));
    });

    it('returns the same head in the process that wrote the commit and in other processes', async () => {
      const { store, other } = underTest();
      const key = newKey();
      const commit = commitOf(key, 1);
      await writeAll([commit]);
      await store.writeStatus([commit]);
      const known = { value: { head: headOf(commit), mayHaveParked: false } };
      expect(await read(store, key)).toEqual(known);
      expect(await read(other, key)).toEqual(known);
    });

    it('returns the version in the status row if that version is newer than the last commit of this process', async () => {
      const { store, other } = underTest();
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      await other.commit([commitOf(key, 2)]);
      await other.writeStatus([commitOf(key, 2)]);
      expect(await recent(store, [key])).toEqual([[2, false]]);
    });

    it('finds the latest commit if pages of fingerprints follow it in the table', async () => {
      const { store, other } = underTest();
      const key = newKey();
      const seen = addFingerprints(emptySeen, [1, 2, 3], 1);
      const commit = commitOf(key, 1, { seen });
      await writeAll([commit]);
      const [flushed] = await store.flushSeen([headOf(commit)], { recent: 1, fanout: 10 });
      expect(flushed).toHaveProperty('value');
      await store.writeStatus([commit]);
      expect(await recent(other, [key])).toEqual([[1, false]]);
    });

    it('reports the parked first event of an instance without commits', async () => {
      const { store, parking } = underTest();
      const key = newKey();
      await parking.begin(key, { shard: 'shard-0', sequence: '7' });
      expect(await recent(store, [key])).toEqual([[undefined, true]]);
    });

    it('never reports an empty queue while events are parked', async () => {
      const { store, other, parking } = underTest();
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      const parked = async () => {
        const [[, known], [, unknown]] = [
          ...(await recent(store, [key])),
          ...(await recent(other, [key])),
        ] as [[number, boolean], [number, boolean]];
        expect(unknown).toBe(known);
        return known;
      };
      expect(await parked()).toBe(false);
      const first = await parking.begin(key, { shard: 'shard-0', sequence: '7' });
      expect(await parked()).toBe(true);
      const event = { ...entryOf(key).event, data: {} };
      const position = { shard: 'shard-0', sequence: '7' };
      const rest = { reason: 'r', fault: true, at: event.time, letterId: 'l' };
      await parking.park([{ event, position, ...rest }]);
      await parking.finish(first, { count: 1, since: event.time });
      expect(await parked()).toBe(true);
      const second = await parking.begin(key, { shard: 'shard-0', sequence: '8' });
      await parking.remove(key, [position]);
      await parking.recount(key);
      expect(await parked()).toBe(true);
      await parking.recount(key, second);
      expect(await parked()).toBe(false);
    });
  });

  it('readOptimistic accepts an empty list and more than a hundred instances', async () => {
    const { store, other } = underTest();
    expect(await store.readOptimistic([])).toEqual([]);
    const keys = Array.from({ length: 120 }, () => newKey());
    await store.commit(keys.map((key) => commitOf(key, 1)));
    await store.writeStatus(keys.map((key) => commitOf(key, 1)));
    expect(await other.readOptimistic(keys)).toEqual(
      keys.map((key) => ({ value: { head: headOf(commitOf(key, 1)), mayHaveParked: false } })),
    );
  });

  describe('writeStatus', () => {
    it('writes the status row of a commit, even if it is called repeatedly', async () => {
      const key = newKey();
      const commit = commitOf(key, 1, {
        progress: 0.5,
        modelVersion: 3,
        description: { status: 'Done "at last" 🚲', done: true },
      });
      const open = commitOf(key, 2, { progress: null });
      expect(await underTest().statusRow(key)).toBeUndefined();
      for (const each of [commit, commit, open]) {
        expect(await underTest().store.writeStatus([each])).toEqual([{ value: undefined }]);
        expect(await underTest().statusRow(key)).toStrictEqual(statusRow(each));
      }
    });

    it('never overwrites the row with an older version, in any order of calls', async () => {
      const calls = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(calls, async (versions) => {
          const key = newKey();
          for (const [index, version] of versions.entries()) {
            await underTest().store.writeStatus([commitOf(key, version)]);
            const highest = Math.max(...versions.slice(0, index + 1));
            expect(await underTest().statusRow(key)).toStrictEqual(
              statusRow(commitOf(key, highest)),
            );
          }
        }),
        { numRuns: 10 },
      );
    });

    it('never overwrites the row with an older version in concurrent calls', async () => {
      const key = newKey();
      const commits = Array.from({ length: 20 }, (_, i) => commitOf(key, ((i * 7) % 20) + 1));
      const answers = await Promise.all(
        commits.map((commit) => underTest().store.writeStatus([commit])),
      );
      expect(answers.flat()).toEqual(commits.map(() => ({ value: undefined })));
      expect(await underTest().statusRow(key)).toStrictEqual(statusRow(commitOf(key, 20)));
    });

    it('stores the due time of the next timer, and null if no timer is running', async () => {
      const key = newKey();
      const timer = (name: string, second: number) => ({
        name,
        dueAt: `2026-01-01T00:00:0${second}.000Z`,
        run: 'r',
      });
      const timers = [[timer('a', 1), timer('b', 2)], [timer('b', 2)], [], [timer('c', 9)]];
      for (const [index, running] of timers.entries()) {
        await underTest().store.writeStatus([commitOf(key, index + 1, { timers: running })]);
        const row = await underTest().statusRow(key);
        expect(row?.dueAt).toBe(running[0]?.dueAt ?? null);
      }
    });

    it('stores when the instance becomes late, and null if it cannot become late', async () => {
      const key = newKey();
      const moments = ['2026-01-01T00:00:01.000Z', null, '2026-01-01T00:00:02.000Z'];
      for (const [index, lateAt] of moments.entries()) {
        await underTest().store.writeStatus([commitOf(key, index + 1, { lateAt })]);
        const row = await underTest().statusRow(key);
        expect(row?.lateAt).toBe(lateAt);
      }
    });

    it('stores no business keys until the instance has started', async () => {
      const key = newKey();
      const description = { status: 'Low', keys: ['customer:1'] };
      for (const [index, startedAt] of [null, '2026-01-01T00:00:02.000Z'].entries()) {
        const commit = commitOf(key, index + 1, { startedAt, description });
        await underTest().store.writeStatus([commit]);
        const row = await underTest().statusRow(key);
        expect(row).toStrictEqual(statusRow(commit));
        expect(row).toMatchObject({ startedAt, keys: startedAt ? ['customer:1'] : [] });
      }
    });

    it('stores the current business keys', async () => {
      const key = newKey();
      const each = [['customer:1'], ['customer:1', 'order:2'], []];
      for (const [index, keys] of each.entries()) {
        const description = { status: 'Low', ...(keys.length > 0 ? { keys } : {}) };
        await underTest().store.writeStatus([commitOf(key, index + 1, { description })]);
        const row = await underTest().statusRow(key);
        expect(row?.keys).toEqual(keys);
      }
    });

    it('does not write a commit', async () => {
      const key = newKey();
      await underTest().store.writeStatus([commitOf(key, 3)]);
      expect(await newestOf(key)).toEqual({ value: undefined });
    });
  });
}
