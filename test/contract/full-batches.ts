import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type Commit, nextCommit } from '../../src/core/commit.ts';
import type { InstanceKey, TrackedEvent } from '../../src/core/event.ts';
import { maximumStateBytes } from '../../src/core/fold.ts';
import { accept, defineModel, type Model } from '../../src/core/model.ts';
import { foldBatch } from '../../src/service/fold-batch.ts';
import type { PositionedEvent } from '../../src/service/protocol.ts';
import { seenAfter } from './commits.ts';

/** Text that hardly gets smaller when it is compressed. */
const noise = randomBytes(maximumStateBytes).toString('base64');

/** So many, with such long names, that a description is about as long as it may be. */
const milestones = times(30, (i) => ({ id: `${i}`.padEnd(256, 'm'), label: 'Filled' }));
const status = '滿'.repeat(256);

/** A model with a state of as many bytes as the last event says, and a lot to say of it. */
const filled = defineModel({
  id: 'filled',
  title: 'Filled',
  statuses: [status],
  milestones,
  events: { filled: v.object({ from: v.number(), bytes: v.number() }) },
  initial: () => '',
  // Without the quotes that its JSON has.
  transition: ({ data: { from, bytes } }) => accept(noise.slice(from, from + bytes - 2)),
  describe: () => ({ status, milestones: milestones.slice(0, 27).map(({ id }) => ({ id })) }),
}) as unknown as Model;

/**
 * The commit that these events come to when the last of them makes the state as large as it may be,
 * for an instance with a long life on a stream with many shards.
 */
export function fullCommit(
  key: InstanceKey,
  events: readonly Partial<TrackedEvent>[],
  bytesBetween: number,
): Commit {
  const open = events.map((event, i): PositionedEvent => {
    const bytes = i === events.length - 1 ? maximumStateBytes : bytesBetween;
    return {
      event: {
        ...key,
        id: `e${i}`,
        source: 'test',
        type: 'filled',
        time: '2026-01-01T00:00:00Z',
        ...event,
        data: { from: i * bytesBetween, bytes },
      },
      position: { shard: `shardId-${i}`, sequence: '4'.repeat(56) },
    };
  });
  const folded = foldBatch(filled, undefined, open);
  if ('fault' in folded) throw new Error(folded.fault);
  if (folded.steps.length < events.length) throw new Error(`only ${folded.steps.length} fit`);
  const made = { at: '2026-01-01T00:00:00.000Z', modelVersion: 1, progress: 0.5 };
  const commit = nextCommit(key, undefined, folded.steps, made);
  // A commit's entries have no data in their events.
  const entries = commit.entries.map((entry) => {
    const { id, source, type, time, replyTo } = entry.event;
    return { ...entry, event: { ...key, id, source, type, time, ...(replyTo && { replyTo }) } };
  });
  return { ...commit, entries, seen: seenAfter(1990) };
}

const replyTo = { model: 'm'.repeat(64), transaction: '🚲'.repeat(256) };

/** Batches of events that come to as large a commit as there can be, by what is large about them. */
export const fullBatches: [string, (key: InstanceKey) => Commit][] = [
  ['many small events', (key) => fullCommit(key, times(150, () => ({})), 164)],
  [
    'long names of events',
    (key) => fullCommit(key, times(24, (i) => ({ id: `${i}`, source: 'x'.repeat(860) })), 1_060),
  ],
  ['long states', (key) => fullCommit(key, times(4, () => ({})), 8_190)],
];

export const x = replyTo;

function times<Value>(count: number, value: (i: number) => Value): Value[] {
  return Array.from({ length: count }, (_, i) => value(i));
}
