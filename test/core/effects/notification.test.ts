import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { notify } from '../../../src/core/effects/effect.ts';
import { notificationsOf } from '../../../src/core/effects/notification.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { loadSnapshot } from '../../../src/core/history/migrate.ts';
import { type FoldedEvent, nextCommit } from '../../../src/core/history/next-commit.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import type { MilestoneProgress } from '../../../src/core/model/description.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { event } from '../../support/data/events.ts';

const day = (date: number) => `2026-01-${String(date).padStart(2, '0')}T00:00:00.000Z`;

/** A model whose events contain the next description of a parcel. */
const parcel = defineModel({
  id: 'parcel',
  title: 'A parcel',
  statuses: ['New', 'Sent', 'Here'],
  milestones: [
    { id: 'packed', label: 'Packed' },
    { id: 'arrived', label: 'Arrived' },
  ],
  events: {
    said: v.object({
      status: v.string(),
      packed: v.optional(v.string()),
      late: v.optional(v.boolean()),
      tell: v.optional(v.array(v.string())),
    }),
    refused: v.unknown(),
  },
  initial: (): { status: string; packed?: string; late?: boolean } => ({ status: 'New' }),
  transition(said, state) {
    if (said.type === 'refused') return reject('not now');
    const { tell = [], ...next } = said.data;
    return accept({ ...state, ...next }, ...tell.map((type) => notify(type, { to: 'Fred' })));
  },
  describe: ({ status, packed, late }) => ({
    status,
    done: status === 'Here',
    milestones: [
      { id: 'packed', at: packed },
      { id: 'arrived', expectedBy: day(9), late },
    ],
  }),
}) as unknown as Model;

interface Said {
  readonly status: string;
  readonly packed?: string;
  readonly late?: boolean;
  readonly tell?: string[];
}

/** Returns the commit that folds the given events after `previous`. A null value stands for a rejected event. */
function commitOf(previous: Commit | undefined, ...said: (Said | null)[]): Commit {
  let before = previous && loadSnapshot(parcel, previous);
  const steps = said.map((each, i): FoldedEvent => {
    const type = each ? 'said' : 'refused';
    const id = `e${i + 1}`;
    const data = { ...each };
    const next = foldEvent(
      parcel,
      before,
      event({ id, type, model: 'parcel', transaction: 'P/1', data }),
    );
    before = next.after;
    return { ...next, position: { shard: 's', sequence: '1' } };
  }) as [FoldedEvent, ...FoldedEvent[]];
  const key = { model: 'parcel', transaction: 'P/1' };
  return nextCommit(key, previous, steps, {
    at: day(2),
    modelVersion: 1,
    progress: null,
    lateAt: null,
    riskAt: null,
  });
}

const brief = (commit: Commit) =>
  notificationsOf(commit).map(({ type, detail: { from, status, milestone } }) =>
    [type, from, status, milestone].filter((part) => part !== undefined),
  );
const cause = (id: string) => ({
  eventTime: event().time,
  event: { id, source: 'test', type: 'said' },
});

describe('notificationsOf', () => {
  it('announces the first status of an instance', () => {
    const id = 'parcel/P/1/1.0';
    expect(notificationsOf(commitOf(undefined, { status: 'New' }))).toEqual([
      {
        id,
        type: 'StatusChanged',
        instance: { model: 'parcel', transaction: 'P/1' },
        at: day(2),
        detail: {
          ...{ id, model: 'parcel', transaction: 'P/1', version: 1, at: day(2) },
          ...{ from: null, status: 'New', ...cause('e1') },
        },
      },
    ]);
  });

  it('announces nothing until an event is applied, and then the first status and milestones together', () => {
    const rejected = commitOf(undefined, null);
    expect(notificationsOf(rejected)).toEqual([]);
    const started = commitOf(rejected, null, { status: 'New', packed: day(1) });
    expect(brief(started)).toEqual([
      ['StatusChanged', null, 'New'],
      ['MilestoneReached', 'New', 'packed'],
    ]);
    expect(notificationsOf(started)[0]!.detail).toMatchObject(cause('e2'));
  });

  it('reports the record time for a milestone whose time is in the future', () => {
    const [, reached] = notificationsOf(commitOf(undefined, { status: 'New', packed: day(8) }));
    expect(reached!.detail).toMatchObject({ milestone: 'packed', reachedAt: day(2) });
  });

  it('announces nothing if the description does not change', () => {
    const first = commitOf(undefined, { status: 'Sent', packed: day(1), late: true });
    expect(notificationsOf(commitOf(first, { status: 'Sent' }, null))).toEqual([]);
    const ended = commitOf(first, { status: 'Here' });
    expect(notificationsOf(commitOf(ended, { status: 'Here' }))).toEqual([]);
  });

  it('announces each change of status with the event that caused it if a commit has several events', () => {
    const first = commitOf(undefined, { status: 'New' });
    const notifications = notificationsOf(
      commitOf(first, { status: 'New' }, { status: 'Sent' }, null, { status: 'New' }),
    );
    expect(
      notifications.map(({ id, detail: { from, status, event: by } }) => [id, from, status, by]),
    ).toEqual([
      ['parcel/P/1/2.0', 'New', 'Sent', cause('e2').event],
      ['parcel/P/1/2.1', 'Sent', 'New', cause('e4').event],
    ]);
  });

  it('announces reached milestones, late milestones, and the end of the process after status changes', () => {
    const first = commitOf(undefined, { status: 'New' });
    const commit = commitOf(
      first,
      { status: 'Sent', packed: day(1), late: true },
      { status: 'Here' },
    );
    expect(brief(commit)).toEqual([
      ['StatusChanged', 'New', 'Sent'],
      ['StatusChanged', 'Sent', 'Here'],
      ['MilestoneReached', 'Here', 'packed'],
      ['MilestoneLate', 'Here', 'arrived'],
      ['InstanceDone', 'Here'],
    ]);
    const [, , reached, late] = notificationsOf(commit);
    expect(reached!.detail).toMatchObject({ reachedAt: day(1), expectedBy: null });
    expect(late!.detail).toMatchObject({ reachedAt: null, expectedBy: day(9) });
  });

  it('announces milestones that are at risk, late, or no longer late, and how late a milestone was reached', () => {
    const described = (...milestones: MilestoneProgress[]) => ({ status: 'New', milestones });
    const commit = {
      ...commitOf(undefined, { status: 'New' }),
      at: day(9),
      description: described(
        { id: 'a', expectedBy: day(9), atRiskAt: day(8), atRisk: true },
        { id: 'b', expectedBy: day(3), late: true },
        { id: 'c', at: day(4), expectedBy: day(5) },
        { id: 'd', at: day(7), expectedBy: day(5) },
      ),
      changes: { from: 'New', reached: ['d'], atRisk: ['a'], late: ['b'], lateCleared: ['c'] },
    };
    expect(
      notificationsOf(commit).map(({ type, detail }) => {
        const { id: _id, model: _m, transaction: _t, version: _v, at: _at, ...rest } = detail;
        return [type, rest];
      }),
    ).toEqual([
      [
        'MilestoneReached',
        { status: 'New', milestone: 'd', reachedAt: day(7), expectedBy: day(5), lateBy: 'P2D' },
      ],
      [
        'MilestoneAtRisk',
        { status: 'New', milestone: 'a', reachedAt: null, expectedBy: day(9), atRiskAt: day(8) },
      ],
      ['MilestoneLate', { status: 'New', milestone: 'b', reachedAt: null, expectedBy: day(3) }],
      [
        'MilestoneLateCleared',
        { status: 'New', milestone: 'c', reachedAt: day(4), expectedBy: day(5) },
      ],
    ]);
  });

  it('places notifications from the model after the status change caused by the same event', () => {
    const commit = commitOf(
      undefined,
      { status: 'New', tell: ['Hello'] },
      { status: 'New', tell: ['Bill', 'Reminder'] },
    );
    expect(notificationsOf(commit).map(({ type }) => type)).toEqual([
      ...['StatusChanged', 'Hello', 'Bill', 'Reminder'],
    ]);
    expect(notificationsOf(commit)[2]!.detail).toMatchObject({
      status: 'New',
      data: { to: 'Fred' },
      ...cause('e2'),
    });
  });

  it('gives each notification a unique id that depends only on the commit', () => {
    const first = commitOf(undefined, { status: 'New', tell: ['Hello', 'Hello'] });
    const second = commitOf(first, { status: 'Sent', packed: day(1), tell: ['Hello'] });
    const ids = [first, second].flatMap(notificationsOf).map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    const stored = JSON.parse(JSON.stringify([first, second])) as Commit[];
    expect(stored.flatMap(notificationsOf).map(({ id }) => id)).toEqual(ids);
    expect(notificationsOf(second).map(({ id, detail }) => detail['id'] === id)).toEqual([
      ...[true, true, true],
    ]);
  });
});
