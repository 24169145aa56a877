import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emit, notify } from '../../../../src/core/effects/effect.ts';
import { headOf } from '../../../../src/core/history/commit.ts';
import { addFingerprints, emptySeen, fingerprintOf } from '../../../../src/core/history/seen.ts';
import { anyCommit, ofInstance } from '../../../support/data/any-commit.ts';
import { commitOf, entryOf, seenAfter } from '../../../support/data/commits.ts';
import { fullCommits } from '../../../support/data/full-commits.ts';
import { accessTo, newKey, type StoreUnderTest } from './store-under-test.ts';

/** Defines the tests of stored commits of any size and content. */
export function storedCommitsCases(underTest: () => StoreUnderTest): void {
  const { writeAll, newestOf, history } = accessTo(underTest);

  describe('a stored commit', () => {
    it('is read back exactly, with any content', async () => {
      await fc.assert(
        fc.asyncProperty(anyCommit, async (made) => {
          const commit = ofInstance(newKey(), made);
          await writeAll([commit]);
          expect(await newestOf(commit)).toStrictEqual({ value: commit });
        }),
        { numRuns: 40 },
      );
    });

    it('is read back exactly with unusual content', async () => {
      const key = newKey();
      const unusual = commitOf(key, 1, {
        modelVersion: 4_000_000_000,
        progress: 0.29,
        description: {
          status: '',
          done: true,
          progress: 0.29,
          milestones: [{ id: 'm"1', at: '2026-01-01T00:00:00Z' }, { id: '' }],
        },
        entries: [
          entryOf(key, { data: 'null', state: 'null' }),
          entryOf(key, { data: '""', state: '[[],[[1,[2,{"":[]}]]]]' }),
          entryOf(key, { outcome: 'rejected', reason: '', state: '{"__proto__":1}' }),
          entryOf(key, { outcome: 'rejected', reason: '"no"\n\u0000 \ud800 🚲', status: '' }),
          entryOf(key, {
            event: {
              ...entryOf(key).event,
              replyTo: { model: 'new-device', transaction: 'a/b#c "d"' },
            },
            data: '{"1":"\\ud800","2":"two","e":1e-7,"f":1e+21,"g":0.1}',
          }),
        ],
        state: '{"1":[],"text":"naïve \\"quoted\\" \\\\ 日本 🚲"}',
        highWaterMarks: {
          'shardId-000000000000': '49600000000000000000000000000000000000000000000000000001',
          'shardId-000000000001': '9'.repeat(128),
          '': '0',
        },
        highWaterMarkDays: { 'shardId-000000000001': 20_779, '': 0 },
      });
      // The state of the last entry is equal to the state of the commit.
      const entries = [...unusual.entries, entryOf(key, { state: unusual.state }, 'last')];
      const commit = { ...unusual, entries };
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each([0, 5, 1000, 2500])('preserves the set of %i seen events', async (events) => {
      const key = newKey();
      const commit = commitOf(key, 1, { seen: seenAfter(events) });
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each([1, 25])(
      'preserves the seen events of 60 earlier commits (events per commit: %i)',
      async (size) => {
        const key = newKey();
        const names = Array.from({ length: 60 * size }, (_, n) => ({
          source: 'test',
          id: `e${n}`,
        }));
        let seen = emptySeen;
        for (let version = 1; version <= 60; version++) {
          const added = names.slice((version - 1) * size, version * size).map(fingerprintOf);
          seen = addFingerprints(seen, added, version);
          const commit = commitOf(key, version, { seen });
          await writeAll([commit]);
          await underTest().store.writeStatus([headOf(commit)]);
        }
        // Each commit is read by the process that wrote it, and by another process.
        const { store, other } = underTest();
        for (const each of [store, other]) {
          const answers = [
            ...(await each.readConsistent([key])),
            ...(await each.readOptimistic([key])),
          ];
          for (const answer of answers) {
            if ('error' in answer) throw answer.error;
            const head = 'head' in answer.value ? answer.value.head : answer.value.commit;
            expect(head?.seen).toStrictEqual(seen);
          }
        }
      },
    );

    it.each([
      ['100 KB', () => JSON.stringify('é'.repeat(50_000))],
      ['250 KB', () => JSON.stringify(Array.from({ length: 25_000 }, (_, i) => `${i % 9} "x"`))],
      ['250 KB that consists of long numbers', () => JSON.stringify(longNumbers(41_000))],
    ])('can have data of %s, which every kind of read returns', async (_, dataOf) => {
      const key = newKey();
      const data = dataOf();
      const commits = [1, 2, 3].map((version) => {
        const state = `{"version":${version}}`;
        const entries = [
          entryOf(key, { data, state }, `large${version}`),
          entryOf(key, { data: '1', state }, `small${version}`),
          entryOf(key, { data: `${data} `.trim(), state }, `again${version}`),
        ];
        return commitOf(key, version, { entries });
      });
      await writeAll(commits);
      expect(await newestOf(key)).toStrictEqual({ value: commits[2] });
      expect(await history(key, 3)).toStrictEqual([commits[1], commits[0]]);
      expect(await underTest().store.commitsFrom(key, 1, 2)).toStrictEqual({
        commits: commits.slice(0, 2),
        more: true,
      });
    });

    it.each([
      ['effects of slightly less than the maximum size of the commit item', 1, 8_000],
      ['effects of 8 KB', 1, 8_300],
      ['effects of the maximum size that one event can send', 4, 250_000],
      ['2,000 effects', 2_000, 400],
    ])('can have %s, which every kind of read returns', async (_, count, bytes) => {
      const key = newKey();
      const effects = Array.from({ length: count }, (__, i) =>
        emit({
          model: 'other',
          transaction: `T${i}`,
          type: 'told',
          // The data compresses poorly, so the commit needs several items.
          data: { text: noise.slice(i * 7, i * 7 + bytes), nothing: null, n: [1e21, 0.1] },
          ...(i % 2 ? { replyTo: true } : {}),
        }),
      );
      const small = notify('Told', { '2': 'two', '1': 'one' });
      const commits = [1, 2, 3].map((version) => {
        const state = `{"version":${version}}`;
        const entries = [
          entryOf(key, { state, effects: version === 3 ? [small] : [...effects, small] }, 'many'),
          entryOf(key, { state }, 'none'),
          entryOf(key, { state, effects: [small] }, 'one'),
        ];
        const timers = [{ name: `t${version}`, dueAt: entries[0]!.event.time, run: 'r' }];
        return commitOf(key, version, { entries, timers });
      });
      await writeAll(commits.slice(0, 2));
      expect(await newestOf(key)).toStrictEqual({ value: commits[1] });
      await writeAll(commits.slice(2));
      expect(await newestOf(key)).toStrictEqual({ value: commits[2] });
      expect(await history(key, 3)).toStrictEqual([commits[1], commits[0]]);
      expect(await underTest().store.commitsFrom(key, 1, 2)).toStrictEqual({
        commits: commits.slice(0, 2),
        more: true,
      });
    });

    it('can have data and effects in the same body', async () => {
      const key = newKey();
      const effects = [notify('Told', noise.slice(0, 20_000))];
      const data = JSON.stringify([effects]);
      const entries = [entryOf(key, { data, effects, state: '1' })];
      const commit = commitOf(key, 1, { entries, state: '1' });
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each(fullCommits)('can have the maximum size because of %s', async (_, made) => {
      const commit = made(newKey());
      await writeAll([commit]);
      expect(await newestOf(commit)).toStrictEqual({ value: commit });
    });
  });
}

/** Text that compresses poorly. */
const noise = randomBytes(300_000).toString('base64');

/** Returns numbers that `JSON.stringify` writes with all digits, such as 88000000000000000000 for 8.8e19. */
const longNumbers = (count: number) =>
  Array.from({ length: count }, (_, i) => ((Math.imul(i, 2_654_435_761) >>> 8) % 89) * 1e18);
