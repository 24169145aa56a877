import { describe, expect, it } from 'vitest';
import type { InstanceKey } from '../../../../src/core/event/event.ts';
import { type Commit, type CommitSummary, summaryOf } from '../../../../src/core/history/commit.ts';
import { toIso } from '../../../../src/core/time/timestamp.ts';
import { commitOf, entryOf } from '../../../support/data/commits.ts';
import { accessTo, newKey, type StoreUnderTest } from './store-under-test.ts';

/** Defines the tests that read past versions of an instance. */
export function historyCases(underTest: () => StoreUnderTest): void {
  const { writeAll, history } = accessTo(underTest);

  describe('commitAsOf', () => {
    const asOf = (key: InstanceKey, at: string) => underTest().store.commitAsOf(key, at);

    it('returns the last commit at or before a time', async () => {
      const key = newKey();
      // Several commits have the same time, and other commits are far apart.
      const seconds = [5, 5, 5, 6, 61, 61, 3000, 3000, 3000, 3600];
      const moment = (second: number, ms = 0) => toIso(Date.UTC(2026, 0, 1) + second * 1000 + ms);
      const commits = seconds.map((second, i) => commitOf(key, i + 1, { at: moment(second) }));
      await writeAll(commits);
      for (const second of new Set(seconds)) {
        const last = commits[seconds.lastIndexOf(second)];
        expect(await asOf(key, moment(second))).toStrictEqual(last);
        expect(await asOf(key, moment(second, 1))).toStrictEqual(last);
        const before = commits[seconds.indexOf(second) - 1];
        expect(await asOf(key, moment(second, -1))).toStrictEqual(before);
      }
      expect(await asOf(key, '0000-01-01T00:00:00.000Z')).toBeUndefined();
      expect(await asOf(key, '9999-12-31T23:59:59.999Z')).toStrictEqual(commits.at(-1));
      expect(await asOf(newKey(), moment(5))).toBeUndefined();
    });

    it('returns a complete commit even if events are parked', async () => {
      const { parking } = underTest();
      const key = newKey();
      const data = JSON.stringify('é'.repeat(50_000));
      const state = '{"version":1}';
      const entries = [entryOf(key, { data, state }, 'large'), entryOf(key, { state }, 'small')];
      const commits = [commitOf(key, 1, { entries }), commitOf(key, 2)];
      await writeAll(commits);
      const event = { ...entryOf(key).event, data: {} };
      const rest = { reason: 'r', fault: true, at: event.time, letterId: 'l' };
      await parking.park([{ event, position: { shard: 'shard-0', sequence: '7' }, ...rest }]);
      for (const commit of commits) expect(await asOf(key, commit.at)).toStrictEqual(commit);
    });

    it('finds the commit among 100 commits', async () => {
      const key = newKey();
      const commits = Array.from({ length: 100 }, (_, i) => commitOf(key, i + 1));
      await underTest().store.commit(commits);
      for (const version of [1, 2, 50, 99])
        expect(await asOf(key, commits[version - 1]!.at)).toStrictEqual(commits[version - 1]);
    });
  });

  describe('the history of an instance', () => {
    it('is read from the newest to the oldest commit before a version', async () => {
      const key = newKey();
      const commits = Array.from({ length: 60 }, (_, i) => commitOf(key, i + 1));
      await writeAll(commits);
      expect(await history(key, 61)).toStrictEqual(commits.toReversed());
      expect(await history(key, 31)).toStrictEqual(commits.slice(0, 30).toReversed());
      expect(await history(key, 2)).toStrictEqual([commits[0]]);
      expect(await history(key, 1)).toEqual([]);
      expect(await history(newKey(), 9)).toEqual([]);
    });

    it('can be read as summaries without large data', async () => {
      const key = newKey();
      const data = JSON.stringify('x'.repeat(9_000));
      const commits = Array.from({ length: 60 }, (_, i) => {
        const state = JSON.stringify(`${i}${'y'.repeat(i % 2 === 0 ? 10 : 100_000)}`);
        const entries = ['a', 'b'].map((id) => entryOf(key, { data, state }, `${id}${i}`));
        return commitOf(key, i + 1, { state, entries: entries.slice(0, 1 + (i % 2)) });
      });
      await writeAll(commits);
      const told = ({
        version,
        highWaterMarks: marks,
        events,
        seen: { since },
      }: CommitSummary) => ({
        version,
        marks,
        events,
        since,
      });
      const summaries = async (version: number) => {
        const found: CommitSummary[] = [];
        for await (const each of underTest().store.summariesBefore(key, version)) found.push(each);
        return found.map(told);
      };
      const expected = commits.map((commit) => told(summaryOf(commit)));
      expect(await summaries(61)).toEqual(expected.toReversed());
      expect(await summaries(31)).toEqual(expected.slice(0, 30).toReversed());
      expect(await summaries(1)).toEqual([]);
    });

    it('can be read in pages, oldest first, with a flag that shows whether more commits exist', async () => {
      const key = newKey();
      const commits = Array.from({ length: 7 }, (_, i) => commitOf(key, i + 1));
      await writeAll(commits);
      for (let version = 1; version <= 9; version++)
        for (const limit of [1, 3, 6, 7, 8])
          expect(await underTest().store.commitsFrom(key, version, limit)).toStrictEqual({
            commits: commits.slice(version - 1, version - 1 + limit),
            more: version - 1 + limit < commits.length,
          });
      expect(await underTest().store.commitsFrom(newKey(), 1, 5)).toEqual({
        commits: [],
        more: false,
      });
    });

    it('has an empty page after its latest commit', async () => {
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      const nothing = { commits: [], more: false };
      expect(await underTest().store.commitsFrom(key, 9_999_999_999, 5)).toEqual(nothing);
      expect(await history(key, 9_999_999_999)).toStrictEqual([commitOf(key, 1)]);
    });

    it('is read completely even if a response contains only a few large commits', async () => {
      const key = newKey();
      const commits = Array.from({ length: 8 }, (_, i) => {
        const state = JSON.stringify(`${i}${'x'.repeat(299_000)}`);
        return commitOf(key, i + 1, { state, entries: [entryOf(key, { state })] });
      });
      await writeAll(commits);
      expect(await history(key, 9)).toStrictEqual(commits.toReversed());
      const paged: Commit[] = [];
      for (let more = true; more; ) {
        const page = await underTest().store.commitsFrom(key, paged.length + 1, 8);
        expect(page.commits.length).toBeGreaterThan(0);
        paged.push(...page.commits);
        more = page.more;
      }
      expect(paged).toStrictEqual(commits);
    });

    it.each(['state', 'data'] as const)(
      'is read in pages that fit into the memory of a function, even if the %s of each event is large and compresses to 1% of its size',
      async (part) => {
        const key = newKey();
        const entries = Array.from({ length: 6 }, (_, i) =>
          entryOf(key, { [part]: JSON.stringify(`${i}${'x'.repeat(250_000)}`) }),
        );
        const commits = Array.from({ length: 15 }, (_, i) =>
          commitOf(key, i + 1, { state: entries.at(-1)!.state, entries }),
        );
        await writeAll(commits);
        for (let read = 0; read < commits.length; ) {
          const page = await underTest().store.commitsFrom(key, read + 1, 50);
          const sizes = page.commits.flatMap((commit) =>
            commit.entries.map((entry) => entry[part].length),
          );
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_000_000);
          read += page.commits.length;
          expect(page.commits.at(-1)!.version).toBe(read);
          expect(page.more).toBe(read < commits.length);
        }
      },
    );
  });
}
