import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import {
  type FoldedEvents,
  isNonEmpty,
  nextCommit,
} from '../../../src/core/history/next-commit.ts';
import { maximumStateBytes } from '../../../src/core/history/snapshot.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model } from '../../../src/core/model/model.ts';
import { foldByModel } from '../../../src/model-runtime/fold-batch.ts';
import type { PositionedEvent } from '../../../src/model-runtime/protocol.ts';
import { seenAfter } from './commits.ts';

/** Text that compresses very little. */
const noise = randomBytes(maximumStateBytes).toString('base64');

/** Milestones with long names. With them, a description has almost its maximum size. */
const milestones = times(27, (i) => ({ id: `${i}`.padEnd(256, 'm'), label: 'Filled' }));
const longStatus = '滿'.repeat(256);

/** A model with a large description. An event sets the size of the state. */
function filled(status: string): Model {
  return defineModel({
    id: 'filled',
    title: 'Filled',
    statuses: [status],
    milestones,
    events: { filled: v.object({ from: v.number(), bytes: v.number() }) },
    initial: () => '',
    // Subtract the two quotes of the JSON, which are part of the size.
    transition: ({ data: { from, bytes } }) => accept(noise.slice(from, from + bytes - 2)),
    describe: () => ({ status, milestones: milestones.map(({ id }) => ({ id })) }),
  }) as unknown as Model;
}

/** Determines which parts of a commit are large. */
interface Load {
  readonly event?: (i: number) => Partial<TrackedEvent>;
  readonly status?: string;
  /** The size of the state after each event except the last, in bytes. */
  readonly bytesBetween: number;
}

/**
 * Creates a commit with the maximum number of events for an instance with a long history. After the last event, the
 * state has its maximum size.
 */
function fullCommit(key: InstanceKey, { event, status = 'Filled', bytesBetween }: Load): Commit {
  const fold = (count: number, largest?: number) => {
    const events = times(count, (i): PositionedEvent => {
      const bytes = i === largest ? maximumStateBytes : bytesBetween;
      return {
        event: {
          ...key,
          id: `e${i}`,
          source: 's',
          type: 'filled',
          time: '2026-01-01T00:00:00Z',
          ...event?.(i),
          data: { from: i * bytesBetween, bytes },
        },
        position: { shard: `shardId-${i % 40}`, sequence: '4'.repeat(56) },
      };
    });
    const folded = foldByModel(filled(status), undefined, events, recordedAt);
    if ('fault' in folded) throw folded.fault;
    const steps = folded.results.filter((result) => result !== 'stale-timer');
    if (!isNonEmpty(steps)) throw new Error('no event was folded');
    return steps;
  };
  const fitting = fold(300).length - 1;
  const steps = fold(fitting, fitting - 1);
  if (steps.length < fitting) throw new Error(`${steps.length} of ${fitting} were folded`);
  return { ...commitOf(key, steps), seen: seenAfter(1990) };
}

const recordedAt = '2026-01-01T00:00:00.000Z';

function commitOf(key: InstanceKey, steps: FoldedEvents): Commit {
  const made = {
    at: recordedAt,
    modelVersion: 1,
    progress: 0.5,
    lateAt: null,
    riskAt: null,
  };
  const commit = nextCommit(key, undefined, steps, made);
  const entries = commit.entries.map((entry) => {
    const { id, source, type, time, replyTo } = entry.event;
    return { ...entry, event: { ...key, id, source, type, time, ...(replyTo && { replyTo }) } };
  });
  return { ...commit, entries };
}

/** Commits of the maximum size, by the reason for their size. */
export const fullCommits: [string, (key: InstanceKey) => Commit][] = [
  ['many events', (key) => fullCommit(key, { bytesBetween: 150 })],
  ['large states', (key) => fullCommit(key, { bytesBetween: 6_000 })],
  [
    'events with long names',
    (key) =>
      fullCommit(key, {
        event: (i) => ({ id: `${i}`.padEnd(128, '🚲'), source: '🚲'.repeat(256) }),
        bytesBetween: 1_300,
      }),
  ],
  ['a long status', (key) => fullCommit(key, { status: longStatus, bytesBetween: 150 })],
  [
    'a reply to an instance with a long name',
    (key) =>
      fullCommit(key, {
        event: () => ({ replyTo: { model: 'm'.repeat(64), transaction: '🚲'.repeat(256) } }),
        bytesBetween: 150,
      }),
  ],
  [
    'names that JSON must escape',
    (key) =>
      fullCommit(key, {
        event: (i) => ({ id: `${i}`.padEnd(256, '\u0001'), source: '\u0001'.repeat(256) }),
        bytesBetween: 600,
      }),
  ],
];

function times<Value>(count: number, value: (i: number) => Value): Value[] {
  return Array.from({ length: count }, (_, i) => value(i));
}
