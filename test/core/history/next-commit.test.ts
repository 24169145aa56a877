import { describe, expect, it } from 'vitest';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { loadSnapshot } from '../../../src/core/history/migrate.ts';
import { type FoldedEvent, nextCommit } from '../../../src/core/history/next-commit.ts';
import { fingerprintOf, mayContainRecent, recentCount } from '../../../src/core/history/seen.ts';
import { event } from '../../support/data/events.ts';
import { counter } from '../../support/models/counter-model.ts';

const key = { model: 'counter', transaction: 'T1' };
const position = { shard: 's', sequence: '1' };

/** Folds events in order, starting from the state after `previous`. */
function steps(previous: Commit | undefined, ...events: (Partial<TrackedEvent> & At)[]) {
  let before = previous && loadSnapshot(counter, previous);
  const made = events.map(({ at = position, ...more }): FoldedEvent => {
    const next = foldEvent(counter, before, event(more));
    before = next.after;
    return { ...next, position: at };
  });
  return made as [FoldedEvent, ...FoldedEvent[]];
}

interface At {
  readonly at?: { readonly shard: string; readonly sequence: string };
}

/** The event time of every event that does not specify one. */
const happened = event().time;
const second = (n: number) => ({ time: `2026-01-01T00:00:0${n}.000Z` });

const made = (second: number) => ({
  at: `2026-01-01T00:00:0${second}.000Z`,
  modelVersion: 2,
  progress: 0.5,
  lateAt: '2026-03-01T00:00:00.000Z',
  riskAt: '2026-02-01T00:00:00.000Z',
});

describe('nextCommit', () => {
  it('starts an instance with version 1', () => {
    const commit = nextCommit(key, undefined, steps(undefined, { id: 'a' }), made(1));
    expect(commit).toMatchObject({
      ...key,
      version: 1,
      at: made(1).at,
      startedAt: happened,
      statusSince: happened,
      modelVersion: 2,
      progress: 0.5,
      lateAt: '2026-03-01T00:00:00.000Z',
      riskAt: '2026-02-01T00:00:00.000Z',
      description: { status: 'Low' },
      state: '{"sum":1,"log":["a"]}',
      highWaterMarks: { s: '1' },
      seen: { runs: [], base: 0, recent: [], since: [fingerprintOf({ source: 'test', id: 'a' })] },
    });
  });

  it('stores each event with its data, its outcome, and the state after it', () => {
    const folded = steps(
      undefined,
      { id: 'a', data: { n: 4 } },
      { id: 'b', data: { n: -1 } },
      { id: 'c', data: { n: 8 } },
    );
    const { entries, state } = nextCommit(key, undefined, folded, made(1));
    expect(
      entries.map(({ event: { id }, data, outcome, reason, status, state: after }) => ({
        id,
        data,
        outcome,
        reason,
        status,
        sum: (JSON.parse(after) as { sum: number }).sum,
      })),
    ).toEqual([
      { id: 'a', data: '{"n":4}', outcome: 'applied', reason: null, status: 'Low', sum: 4 },
      {
        id: 'b',
        data: '{"n":-1}',
        outcome: 'rejected',
        reason: 'below zero',
        status: 'Low',
        sum: 4,
      },
      { id: 'c', data: '{"n":8}', outcome: 'applied', reason: null, status: 'High', sum: 12 },
    ]);
    expect(state).toBe(entries.at(-1)!.state);
  });

  it('continues from the previous commit', () => {
    const first = nextCommit(key, undefined, steps(undefined, {}), made(1));
    const next = nextCommit(key, first, steps(first, {}), made(2));
    expect([first, next].map(({ version }) => version)).toEqual([1, 2]);
    expect(next.state).toContain('"sum":2');
  });

  it('takes the times of the start and the status from the events, not from the commits', () => {
    const first = nextCommit(key, undefined, steps(undefined, second(2)), made(4));
    const next = nextCommit(key, first, steps(first, second(3)), made(5));
    const high = nextCommit(key, next, steps(next, { data: { n: 10 }, ...second(4) }), made(6));
    expect(
      [first, next, high].map(({ startedAt, statusSince }) => [startedAt, statusSince]),
    ).toEqual([
      [second(2).time, second(2).time],
      [second(2).time, second(2).time],
      [second(2).time, second(4).time],
    ]);
  });

  it('starts an instance with its first applied event, not with a rejected one', () => {
    const rejected = { data: { n: -1 } };
    const first = nextCommit(key, undefined, steps(undefined, rejected), made(1));
    const after = nextCommit(key, first, steps(first, rejected), made(2));
    const third = nextCommit(key, after, steps(after, rejected, second(2)), made(3));
    const fourth = nextCommit(key, third, steps(third, rejected), made(4));
    const commits = [first, after, third, fourth];
    expect(commits.map(({ version, startedAt }) => [version, startedAt])).toEqual([
      [1, null],
      [2, null],
      [3, second(2).time],
      [4, second(2).time],
    ]);
    expect([third, fourth].map(({ statusSince }) => statusSince)).toEqual([
      second(2).time,
      second(2).time,
    ]);
    expect(commits.map(({ changes }) => changes)).toEqual([{}, {}, {}, { from: 'Low' }]);
  });

  it('never gives a commit an earlier time than its predecessor', () => {
    const first = nextCommit(key, undefined, steps(undefined, {}), made(5));
    expect(nextCommit(key, first, steps(first, {}), made(1)).at).toBe(made(5).at);
  });

  it('remembers the fingerprint of every event, including rejected events', () => {
    const first = nextCommit(key, undefined, steps(undefined, { id: 'a' }), made(1));
    const second = nextCommit(key, first, steps(first, { id: 'b', data: { n: -1 } }), made(2));
    for (const id of ['a', 'b'])
      expect(mayContainRecent(second.seen, fingerprintOf({ source: 'test', id }))).toBe(true);
    expect(mayContainRecent(second.seen, fingerprintOf({ source: 'test', id: 'c' }))).toBe(false);
    expect(recentCount(second.seen)).toBe(2);
  });

  it('keeps the highest sequence number of each shard, compared as a number', () => {
    const at = (shard: string, sequence: string) => ({ at: { shard, sequence } });
    const first = nextCommit(
      key,
      undefined,
      steps(undefined, at('s', '9'), at('t', '5'), at('s', '10'), at('s', '2')),
      made(1),
    );
    expect(first.highWaterMarks).toEqual({ s: '10', t: '5' });
    const second = nextCommit(key, first, steps(first, at('t', '100'), at('s', '9')), made(2));
    expect(second.highWaterMarks).toEqual({ s: '10', t: '100' });
  });
});
