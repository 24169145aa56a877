import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../../src/core/event/event.ts';
import {
  type Commit,
  type FoldedEvents,
  isNonEmpty,
  nextCommit,
} from '../../src/core/history/commit.ts';
import { maximumStateBytes } from '../../src/core/history/snapshot.ts';
import { accept, defineModel, type Model } from '../../src/core/model/model.ts';
import { foldBatch } from '../../src/model-runtime/fold-batch.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { seenAfter } from './commits.ts';

/** Text that hardly gets smaller when it is compressed. */
const noise = randomBytes(maximumStateBytes).toString('base64');

/** So many, with such long names, that a description is about as long as it may be. */
const milestones = times(27, (i) => ({ id: `${i}`.padEnd(256, 'm'), label: 'Filled' }));
const longStatus = '滿'.repeat(256);

/** A model with a state of as many bytes as the last event says, and a lot to say of it. */
function filled(status: string): Model {
  return defineModel({
    id: 'filled',
    title: 'Filled',
    statuses: [status],
    milestones,
    events: { filled: v.object({ from: v.number(), bytes: v.number() }) },
    initial: () => '',
    // Without the quotes that its JSON has.
    transition: ({ data: { from, bytes } }) => accept(noise.slice(from, from + bytes - 2)),
    describe: () => ({ status, milestones: milestones.map(({ id }) => ({ id })) }),
  }) as unknown as Model;
}

/** What is large about a commit. */
interface Load {
  readonly event?: (i: number) => Partial<TrackedEvent>;
  readonly status?: string;
  /** How large each state before the last one is. */
  readonly bytesBetween: number;
}

/**
 * The commit of as many events as are folded at once, the last of which makes the state as large as
 * it may be, of an instance with a long life.
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
    const folded = foldBatch(filled(status), undefined, events);
    if ('fault' in folded) throw folded.fault;
    const steps = folded.results.filter((result) => result !== 'stale-timer');
    if (!isNonEmpty(steps)) throw new Error('none were folded');
    return steps;
  };
  const fitting = fold(300).length - 1;
  const steps = fold(fitting, fitting - 1);
  if (steps.length < fitting) throw new Error(`${steps.length} of ${fitting} were folded`);
  return { ...commitOf(key, steps), seen: seenAfter(1990) };
}

function commitOf(key: InstanceKey, steps: FoldedEvents): Commit {
  const made = { at: '2026-01-01T00:00:00.000Z', modelVersion: 1, progress: 0.5, lateAt: null };
  const commit = nextCommit(key, undefined, steps, made);
  const entries = commit.entries.map((entry) => {
    const { id, source, type, time, replyTo } = entry.event;
    return { ...entry, event: { ...key, id, source, type, time, ...(replyTo && { replyTo }) } };
  });
  return { ...commit, entries };
}

/** As large commits as there can be, by what is large about them. */
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
    'somebody far away who wants to hear',
    (key) =>
      fullCommit(key, {
        event: () => ({ replyTo: { model: 'm'.repeat(64), transaction: '🚲'.repeat(256) } }),
        bytesBetween: 150,
      }),
  ],
  [
    'names that JSON has to escape',
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
