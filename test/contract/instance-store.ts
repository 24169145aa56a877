import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emit, notify } from '../../src/core/effects/effect.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import {
  type Commit,
  type CommitSummary,
  headOf,
  summaryOf,
} from '../../src/core/history/commit.ts';
import { addFingerprints, emptySeen, fingerprintOf } from '../../src/core/history/seen.ts';
import { type StatusRow, statusRow } from '../../src/core/status/status-row.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import type { ParkingStore } from '../../src/parking/parking-store.ts';
import type { InstanceStore } from '../../src/stores/instance-store.ts';
import { anyCommit, ofInstance } from './any-commit.ts';
import { commitOf, entryOf, seenAfter } from './commits.ts';
import { fullCommits } from './full-commits.ts';

/** A store, and a way to see the status rows that it wrote. */
export interface StoreUnderTest {
  readonly store: InstanceStore;
  /** The same store as another process has it, and where parked events are kept. */
  readonly other: InstanceStore;
  readonly parking: ParkingStore;
  statusRow(key: InstanceKey): Promise<StatusRow | undefined>;
}

/** What everything that calls itself an `InstanceStore` must do. */
export function instanceStoreContract(underTest: () => StoreUnderTest): void {
  const writeAll = async (commits: readonly Commit[]) => {
    for (const commit of commits)
      expect(await underTest().store.commit([commit])).toEqual([{ value: 'committed' }]);
  };
  const newest = async (keys: readonly InstanceKey[]) =>
    (await underTest().store.readConsistent(keys)).map((answer) =>
      'error' in answer ? answer : { value: answer.value.commit },
    );
  const newestOf = async (key: InstanceKey) => (await newest([key]))[0];
  const history = async (key: InstanceKey, version: number) => {
    const commits: Commit[] = [];
    for await (const commit of underTest().store.commitsBefore(key, version)) commits.push(commit);
    return commits;
  };

  describe('newest', () => {
    it('answers for each instance, in the order asked, with none where there is none', async () => {
      const [a, b, none] = [newKey(), newKey(), newKey()];
      await writeAll([commitOf(a, 1), commitOf(b, 1), commitOf(a, 2)]);
      expect(await newest([none, a, b, a])).toStrictEqual([
        { value: undefined },
        { value: commitOf(a, 2) },
        { value: commitOf(b, 1) },
        { value: commitOf(a, 2) },
      ]);
    });

    it('takes no instance, and more than a hundred', async () => {
      const keys = Array.from({ length: 120 }, () => newKey());
      const answers = await underTest().store.commit(keys.map((key) => commitOf(key, 1)));
      expect(answers).toEqual(keys.map(() => ({ value: 'committed' })));
      expect(await newest(keys)).toStrictEqual(keys.map((key) => ({ value: commitOf(key, 1) })));
      expect(await newest([])).toEqual([]);
    });

    it('knows that version 10 comes after version 9, and 1,000,000 after 999,999', async () => {
      const key = newKey();
      for (const version of [9, 10, 999_999, 1_000_000]) {
        await writeAll([commitOf(key, version)]);
        expect(await newestOf(key)).toMatchObject({ value: { version } });
      }
    });
  });

  describe('commit', () => {
    it('refuses a version that is taken, and changes nothing', async () => {
      const key = newKey();
      await writeAll([commitOf(key, 1), commitOf(key, 2)]);
      const late = (version: number) => commitOf(key, version, { state: '"late"' });
      expect(await underTest().store.commit([late(2)])).toEqual([{ value: 'conflict' }]);
      expect(await underTest().store.commit([late(1)])).toEqual([{ value: 'conflict' }]);
      expect(await newestOf(key)).toStrictEqual({ value: commitOf(key, 2) });
      expect(await history(key, 2)).toStrictEqual([commitOf(key, 1)]);
    });

    it('answers for each of many', async () => {
      const [a, b] = [newKey(), newKey()];
      await writeAll([commitOf(a, 1)]);
      expect(
        await underTest().store.commit([commitOf(a, 1), commitOf(b, 1), commitOf(a, 2)]),
      ).toEqual([{ value: 'conflict' }, { value: 'committed' }, { value: 'committed' }]);
    });

    it('lets exactly one of 32 writers of the same version win', async () => {
      const key = newKey();
      // With data that is kept apart, so that more than one item is at stake.
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

  describe('what was written', () => {
    it('comes back exactly, whatever is in it', async () => {
      await fc.assert(
        fc.asyncProperty(anyCommit, async (made) => {
          const commit = ofInstance(newKey(), made);
          await writeAll([commit]);
          expect(await newestOf(commit)).toStrictEqual({ value: commit });
        }),
        { numRuns: 40 },
      );
    });

    it('comes back exactly where it is unusual', async () => {
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
      // The last entry's state is the commit's.
      const entries = [...unusual.entries, entryOf(key, { state: unusual.state }, 'last')];
      const commit = { ...unusual, entries };
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each([0, 5, 1000, 2500])('remembers that %i events were seen', async (events) => {
      const key = newKey();
      const commit = commitOf(key, 1, { seen: seenAfter(events) });
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each([1, 25])('remembers what was seen in commits of %i events before', async (size) => {
      const key = newKey();
      const names = Array.from({ length: 60 * size }, (_, n) => ({ source: 'test', id: `e${n}` }));
      let seen = emptySeen;
      for (let version = 1; version <= 60; version++) {
        const added = names.slice((version - 1) * size, version * size).map(fingerprintOf);
        seen = addFingerprints(seen, added, version);
        const commit = commitOf(key, version, { seen });
        await writeAll([commit]);
        await underTest().store.writeStatus([headOf(commit)]);
      }
      // Once as the one that wrote it knows it, and once as any other.
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
    });

    it.each([
      ['100 KB', () => JSON.stringify('é'.repeat(50_000))],
      ['250 KB', () => JSON.stringify(Array.from({ length: 25_000 }, (_, i) => `${i % 9} "x"`))],
      [
        'numbers that were 250 KB when they came, as 42e18',
        () => JSON.stringify(longNumbers(41_000)),
      ],
    ])('has data of %s, wherever it is read', async (_, dataOf) => {
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
      ['just under what fits beside the rest', 1, 8_000],
      ['8 KB', 1, 8_300],
      ['as much as one event may send', 4, 250_000],
      ['2,000 of them', 2_000, 400],
    ])('has effects of %s, wherever it is read', async (_, count, bytes) => {
      const key = newKey();
      const effects = Array.from({ length: count }, (__, i) =>
        emit({
          model: 'other',
          transaction: `T${i}`,
          type: 'told',
          // Hardly smaller when it is compressed, so that it takes several items.
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

    it('has large data and large effects that are the same text', async () => {
      const key = newKey();
      const effects = [notify('Told', noise.slice(0, 20_000))];
      const data = JSON.stringify([effects]);
      const entries = [entryOf(key, { data, effects, state: '1' })];
      const commit = commitOf(key, 1, { entries, state: '1' });
      await writeAll([commit]);
      expect(await newestOf(key)).toStrictEqual({ value: commit });
    });

    it.each(fullCommits)('may be as much as is folded at once: %s', async (_, made) => {
      const commit = made(newKey());
      await writeAll([commit]);
      expect(await newestOf(commit)).toStrictEqual({ value: commit });
    });
  });

  describe('recent', () => {
    const recent = async (store: InstanceStore, keys: readonly InstanceKey[]) =>
      (await store.readOptimistic(keys)).map((answer) => {
        if ('error' in answer) throw answer.error;
        return [answer.value.head?.version, answer.value.mayHaveParked];
      });

    it('knows what this process wrote, and what the row tells of others', async () => {
      const { store, other } = underTest();
      const [own, told, ahead, none] = [newKey(), newKey(), newKey(), newKey()];
      await writeAll([commitOf(own, 1), commitOf(own, 2), commitOf(told, 1), commitOf(ahead, 1)]);
      await store.writeStatus([commitOf(told, 1), commitOf(ahead, 1)]);
      await writeAll([2, 3, 4].map((version) => commitOf(ahead, version)));
      const keys = [none, own, told, ahead];
      const versions = [undefined, 2, 1, 4].map((version) => [version, false]);
      expect(await recent(store, keys)).toEqual(versions);
      // Of one without a row nothing can be told quickly.
      const others = await recent(other, [none, told, ahead]);
      expect(others).toEqual([undefined, 1, 4].map((version) => [version, false]));
    });

    it('gives heads from which the next commit can be made', async () => {
      const { store, other } = underTest();
      const key = newKey();
      const commit = commitOf(key, 1);
      await writeAll([commit]);
      await store.writeStatus([commit]);
      const known = { value: { head: headOf(commit), mayHaveParked: false } };
      expect(await store.readOptimistic([key])).toEqual([known]);
      expect(await other.readOptimistic([key])).toEqual([known]);
    });

    it('is further than what this process wrote where the row is', async () => {
      const { store, other } = underTest();
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      await other.commit([commitOf(key, 2)]);
      await other.writeStatus([commitOf(key, 2)]);
      expect(await recent(store, [key])).toEqual([[2, false]]);
    });

    it('never says that nothing is parked where something is', async () => {
      const { store, parking } = underTest();
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      const parked = async () => (await recent(store, [key]))[0]![1];
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

    it('takes no instance, and more than a hundred', async () => {
      const { store, other } = underTest();
      expect(await store.readOptimistic([])).toEqual([]);
      const keys = Array.from({ length: 120 }, () => newKey());
      await store.commit(keys.map((key) => commitOf(key, 1)));
      await store.writeStatus(keys.map((key) => commitOf(key, 1)));
      expect(await recent(other, keys)).toEqual(keys.map(() => [1, false]));
    });
  });

  describe('writeStatus', () => {
    it('writes the row of a commit, and writes it again', async () => {
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

    it('never goes back, in whatever order it is called', async () => {
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

    it('never goes back when it is called at once', async () => {
      const key = newKey();
      const commits = Array.from({ length: 20 }, (_, i) => commitOf(key, ((i * 7) % 20) + 1));
      const answers = await Promise.all(
        commits.map((commit) => underTest().store.writeStatus([commit])),
      );
      expect(answers.flat()).toEqual(commits.map(() => ({ value: undefined })));
      expect(await underTest().statusRow(key)).toStrictEqual(statusRow(commitOf(key, 20)));
    });

    it('says when the next timer is due, and that none is any more', async () => {
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

    it('says from when on it is late, and that it is not any more', async () => {
      const key = newKey();
      const moments = ['2026-01-01T00:00:01.000Z', null, '2026-01-01T00:00:02.000Z'];
      for (const [index, lateAt] of moments.entries()) {
        await underTest().store.writeStatus([commitOf(key, index + 1, { lateAt })]);
        const row = await underTest().statusRow(key);
        expect(row?.lateAt).toBe(lateAt);
      }
    });

    it('says that an instance has not started, and finds it by no key until it has', async () => {
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

    it('says what business calls it by, and not any more', async () => {
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

  describe('asOf', () => {
    const asOf = (key: InstanceKey, at: string) => underTest().store.commitAsOf(key, at);

    it('gives the last commit that was made by a moment', async () => {
      const key = newKey();
      // Several at the same moment, and some that are far apart.
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

    it('gives it whole, and in spite of what is parked', async () => {
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

    it('finds it among many', async () => {
      const key = newKey();
      const commits = Array.from({ length: 100 }, (_, i) => commitOf(key, i + 1));
      await underTest().store.commit(commits);
      for (const version of [1, 2, 50, 99])
        expect(await asOf(key, commits[version - 1]!.at)).toStrictEqual(commits[version - 1]);
    });
  });

  describe('history', () => {
    it('is walked from the newest to the oldest before a version', async () => {
      const key = newKey();
      const commits = Array.from({ length: 60 }, (_, i) => commitOf(key, i + 1));
      await writeAll(commits);
      expect(await history(key, 61)).toStrictEqual(commits.toReversed());
      expect(await history(key, 31)).toStrictEqual(commits.slice(0, 30).toReversed());
      expect(await history(key, 2)).toStrictEqual([commits[0]]);
      expect(await history(key, 1)).toEqual([]);
      expect(await history(newKey(), 9)).toEqual([]);
    });

    it('is walked the same way as summaries, in which data of any size is left out', async () => {
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

    it('comes in pages, oldest first, and says whether there is more', async () => {
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

    it('has an end, however far behind it is asked for', async () => {
      const key = newKey();
      await writeAll([commitOf(key, 1)]);
      const nothing = { commits: [], more: false };
      expect(await underTest().store.commitsFrom(key, 9_999_999_999, 5)).toEqual(nothing);
      expect(await history(key, 9_999_999_999)).toStrictEqual([commitOf(key, 1)]);
    });

    it('is whole where commits are too large for many at a time', async () => {
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
  });

  describe('names', () => {
    it.each([
      ['one character', '#'],
      ['a slash', 'a/b//c'],
      ['per cent', '%2F%23%'],
      ['what looks like a key', '#COMMIT#0000000001'],
      ['an emoji', '👩‍👩‍👧‍👦'],
      ['quotes and a backslash', '"\'\\`$'],
      ['spaces', '  a  '],
      ['256 characters of four bytes', '🚲'.repeat(256)],
    ])('may have %s', async (_, transaction) => {
      const key = { model: newKey().model, transaction };
      await writeAll([commitOf(key, 1), commitOf(key, 2)]);
      await underTest().store.writeStatus([commitOf(key, 2)]);
      expect(await newestOf(key)).toStrictEqual({ value: commitOf(key, 2) });
      expect(await history(key, 2)).toStrictEqual([commitOf(key, 1)]);
      expect(await underTest().statusRow(key)).toStrictEqual(statusRow(commitOf(key, 2)));
    });

    it('do not mix where one begins with another', async () => {
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

    it('are told apart by model', async () => {
      const [a, b] = [newKey(), newKey()];
      const other = { model: b.model, transaction: a.transaction };
      await writeAll([commitOf(a, 1), commitOf(a, 2), commitOf(other, 1)]);
      expect(await newestOf(other)).toStrictEqual({ value: commitOf(other, 1) });
    });
  });
}

/** Text that hardly gets smaller when it is compressed. */
const noise = randomBytes(300_000).toString('base64');

/** Numbers of which JSON.stringify writes every digit. */
const longNumbers = (count: number) =>
  Array.from({ length: count }, (_, i) => ((Math.imul(i, 2_654_435_761) >>> 8) % 89) * 1e18);

let keys = 0;

/** An instance that no other test has. */
function newKey(): InstanceKey {
  keys++;
  return { model: `model-${keys}`, transaction: `T${keys}` };
}
