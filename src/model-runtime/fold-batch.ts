import zlib from 'node:zlib';
import { isStaleTimerEvent } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import type { Head } from '../core/history/commit.ts';
import { type FoldStep, foldEvent } from '../core/history/fold.ts';
import { loadSnapshot } from '../core/history/migrate.ts';
import type { FoldedEvent } from '../core/history/next-commit.ts';
import type { Snapshot } from '../core/history/snapshot.ts';
import type { Model } from '../core/model/model.ts';
import type { PositionedEvent } from './protocol.ts';

// The limits that keep a commit's item, with a state of up to 300 KB, below DynamoDB's limit of 400 KB, in bytes. A
// single event can exceed the first limit because event data of more than 8 KB is stored outside the commit's item.
const maximumEntriesBytes = 24 * 1024;
/**
 * The maximum total size of a commit's states after compression. A commit contains the state after each of its events.
 * Consecutive states are similar, so they compress well.
 */
const maximumStatesBytes = 324 * 1024;
/**
 * The maximum total size of a commit's states before compression. All of a commit's states are in memory at the same
 * time.
 */
const maximumPlainStatesBytes = 2 * 1024 * 1024;

/** The result of folding one event; `stale-timer` if the event belongs to a timer that is no longer running. */
export type FoldResult = FoldedEvent | 'stale-timer';

/** The results of as many events as fit into a commit, or the error if the model failed on the first event. */
export type FoldedBatch = { readonly results: readonly FoldResult[] } | { readonly fault: unknown };

/**
 * Folds an instance's next events: as many as fit into one commit. If the model's code fails on an event, the results
 * of the events before it are kept. If all results are stale timers, there is nothing to commit.
 *
 * @param stepOn applies one event; returns undefined to leave the event to a later commit, but never for the first
 *   event.
 */
export function foldBatch(
  model: Model,
  newest: Head | undefined,
  events: readonly PositionedEvent[],
  stepOn: (before: Snapshot | undefined, event: TrackedEvent) => FoldStep | undefined,
): FoldedBatch {
  const results: FoldResult[] = [];
  const steps: FoldedEvent[] = [];
  let before: Snapshot | undefined;
  // Sealed fields are longer than plain fields and compress less well, so use only half of the limits.
  const share = model.sensitive ? 0.5 : 1;
  let entriesBytes = 0;
  let statesBytes = 0;
  for (const { event, position } of events) {
    if (isStaleTimerEvent(event, (before ?? newest)?.timers ?? [])) {
      results.push('stale-timer');
      continue;
    }
    try {
      before ??= newest && loadSnapshot(model, newest);
      const stepped = stepOn(before, event);
      if (!stepped) break;
      const next = { ...stepped, position };
      entriesBytes += entryBytes(next);
      statesBytes += Buffer.byteLength(next.after.json);
      const full =
        entriesBytes > share * maximumEntriesBytes || statesBytes > share * maximumPlainStatesBytes;
      if (full && steps.length > 0) break;
      steps.push(next);
      results.push(next);
      before = next.after;
    } catch (error) {
      if (results.length === 0) return { fault: error };
      break;
    }
  }
  const roomBytes = share * maximumStatesBytes;
  const fitting = statesBytes > roomBytes ? fittingSteps(steps, roomBytes) : steps.length;
  if (fitting === steps.length) return { results };
  return { results: results.slice(0, results.indexOf(steps[fitting]!)) };
}

/**
 * Folds a batch with the model's own code: see `foldBatch`.
 *
 * @param recordedAt the `at` of the commit, RFC 3339 in UTC.
 */
export const foldByModel = (
  model: Model,
  newest: Head | undefined,
  events: readonly PositionedEvent[],
  recordedAt: string,
): FoldedBatch =>
  foldBatch(model, newest, events, (before, event) => foldEvent(model, before, event, recordedAt));

/** Returns how many steps to commit together: the number is halved until their states fit. */
function fittingSteps(steps: readonly FoldedEvent[], roomBytes: number): number {
  for (let count = steps.length; count > 1; count = Math.ceil(count / 2)) {
    const states = steps.slice(0, count).map(({ after }) => after.json);
    if (zlib.zstdCompressSync(states.join('\n')).byteLength <= roomBytes) return count;
  }
  return 1;
}

function entryBytes({ event, data, reason, effects, after }: FoldedEvent): number {
  const { id, source, type, time, replyTo } = event;
  const { status } = after.description;
  // Measure the size as JSON, where a control character takes six bytes.
  const rest = JSON.stringify({ id, source, type, time, replyTo, status, reason, effects });
  return Buffer.byteLength(rest) + Buffer.byteLength(data);
}
