import { describe, expect, it } from 'vitest';
import { statusRow } from '../../../../src/core/status/status-row.ts';
import { commitOf, entryOf } from '../../../support/data/commits.ts';
import { accessTo, newKey, type StoreUnderTest } from './store-under-test.ts';

/** Defines the tests of consistent reads and of commits: each version is written once, with a result per commit. */
export function commitsCases(underTest: () => StoreUnderTest): void {
  const { writeAll, newest, newestOf, history } = accessTo(underTest);

  describe('readConsistent', () => {
    it('returns a result for each instance in order, and undefined for an instance without commits', async () => {
      const [a, b, none] = [newKey(), newKey(), newKey()];
      await writeAll([commitOf(a, 1), commitOf(b, 1), commitOf(a, 2)]);
      expect(await newest([none, a, b, a])).toStrictEqual([
        { value: undefined },
        { value: commitOf(a, 2) },
        { value: commitOf(b, 1) },
        { value: commitOf(a, 2) },
      ]);
    });

    it('accepts an empty list and more than a hundred instances', async () => {
      const keys = Array.from({ length: 120 }, () => newKey());
      const answers = await underTest().store.commit(keys.map((key) => commitOf(key, 1)));
      expect(answers).toEqual(keys.map(() => ({ value: 'committed' })));
      expect(await newest(keys)).toStrictEqual(keys.map((key) => ({ value: commitOf(key, 1) })));
      expect(await newest([])).toEqual([]);
    });

    it('sorts version 10 after version 9, and 1,000,000 after 999,999', async () => {
      const key = newKey();
      for (const version of [9, 10, 999_999, 1_000_000]) {
        await writeAll([commitOf(key, version)]);
        expect(await newestOf(key)).toMatchObject({ value: { version } });
      }
    });
  });

  describe('commit', () => {
    it('returns a conflict for an existing version and changes nothing', async () => {
      const key = newKey();
      await writeAll([commitOf(key, 1), commitOf(key, 2)]);
      const late = (version: number) => commitOf(key, version, { state: '"late"' });
      expect(await underTest().store.commit([late(2)])).toEqual([{ value: 'conflict' }]);
      expect(await underTest().store.commit([late(1)])).toEqual([{ value: 'conflict' }]);
      expect(await newestOf(key)).toStrictEqual({ value: commitOf(key, 2) });
      expect(await history(key, 2)).toStrictEqual([commitOf(key, 1)]);
    });

    it('returns a result for each commit', async () => {
      const [a, b] = [newKey(), newKey()];
      await writeAll([commitOf(a, 1)]);
      expect(
        await underTest().store.commit([commitOf(a, 1), commitOf(b, 1), commitOf(a, 2)]),
      ).toEqual([{ value: 'conflict' }, { value: 'committed' }, { value: 'committed' }]);
    });

    it('succeeds for exactly one of 32 concurrent writers of the same version', async () => {
      const key = newKey();
      // The data is stored outside the commit item, so each write consists of several items.
      const writers = Array.from({ length: 32 }, (_, i) => {
        const data = JSON.stringify(`${i}-${'x'.repeat(9_000)}`);
        return commitOf(key, 1, {
          state: `${i}`,
          entries: [entryOf(key, { data, state: `${i}` })],
        });
      });
      const answers = await Promise.all(
        writers.map((commit) => underTest().store.commit([commit])),
      );
      const winners = writers.filter((_, i) => {
        const [answer] = answers[i]!;
        return 'value' in answer! && answer.value === 'committed';
      });
      expect(winners).toHaveLength(1);
      expect(answers.filter(([answer]) => 'error' in answer!)).toEqual([]);
      expect(await newestOf(key)).toStrictEqual({ value: winners[0] });
    });
  });

  describe('transaction ids', () => {
    it.each([
      ['one character', '#'],
      ['a slash', 'a/b//c'],
      ['percent signs', '%2F%23%'],
      ['text that looks like a sort key', '#COMMIT#0000000001'],
      ['an emoji', '👩‍👩‍👧‍👦'],
      ['quotes and a backslash', '"\'\\`$'],
      ['spaces', '  a  '],
      ['256 four-byte characters', '🚲'.repeat(256)],
    ])('can contain %s', async (_, transaction) => {
      const key = { model: newKey().model, transaction };
      await writeAll([commitOf(key, 1), commitOf(key, 2)]);
      await underTest().store.writeStatus([commitOf(key, 2)]);
      expect(await newestOf(key)).toStrictEqual({ value: commitOf(key, 2) });
      expect(await history(key, 2)).toStrictEqual([commitOf(key, 1)]);
      expect(await underTest().statusRow(key)).toStrictEqual(statusRow(commitOf(key, 2)));
    });

    it('identify different instances even if one id is a prefix of another', async () => {
      const { model } = newKey();
      const names = ['a', 'a#', 'a#COMMIT', 'a#COMMIT#0000000001', 'a#STATUS', 'aa', 'A'];
      const keys = names.map((transaction) => ({ model, transaction }));
      await writeAll(keys.map((key, i) => commitOf(key, 1, { modelVersion: i + 1 })));
      for (const [i, key] of keys.entries()) {
        const own = commitOf(key, 1, { modelVersion: i + 1 });
        expect(await newestOf(key)).toStrictEqual({ value: own });
        expect(await history(key, 9)).toStrictEqual([own]);
        expect(await underTest().store.commitsFrom(key, 1, 9)).toStrictEqual({
          commits: [own],
          more: false,
        });
      }
    });

    it('identify different instances in different models', async () => {
      const [a, b] = [newKey(), newKey()];
      const other = { model: b.model, transaction: a.transaction };
      await writeAll([commitOf(a, 1), commitOf(a, 2), commitOf(other, 1)]);
      expect(await newestOf(other)).toStrictEqual({ value: commitOf(other, 1) });
    });
  });
}
