import zlib from 'node:zlib';
import { isStaleTimerEvent } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import type { FoldedEvent, Head } from '../core/history/commit.ts';
import { type FoldStep, foldEvent } from '../core/history/fold.ts';
import { loadSnapshot } from '../core/history/migrate.ts';
import { type Snapshot } from '../core/history/snapshot.ts';
import type { Model } from '../core/model/model.ts';
import type { PositionedEvent } from './protocol.ts';

// What one commit takes besides its state of up to 300 KB, in bytes, so that its item stays under
// DynamoDB's 400 KB. Data of a size that would fill it alone is stored apart from the commit.
const maximumEntriesBytes = 24 * 1024;
/** The states after each of its events, compressed: one after the other they are nearly the same. */
const maximumStatesBytes = 324 * 1024;
/** And before they are: what has to be held in memory at once. */
const maximumPlainStatesBytes = 2 * 1024 * 1024;

/** The result of folding one event; `stale-timer` for the event of a timer that no longer runs. */
export type FoldResult = FoldedEvent | 'stale-timer';

/** The results of the first events, as many as fit into a commit; or the error of the very first event. */
export type FoldedBatch = { readonly results: readonly FoldResult[] } | { readonly fault: unknown };

/**
 * Folds as many of an instance's events as fit into one commit. Where the model's code fails on an event, the results
 * before it stand. Where all results are stale timers there is nothing to commit.
 *
 * @param stepOn applies one event; undefined where that has to wait for a later commit, which is never
 *   so of the first. Default: the model's own code does.
 */
export function foldBatch(
  model: Model,
  newest: Head | undefined,
  events: readonly PositionedEvent[],
  stepOn: (before: Snapshot | undefined, event: TrackedEvent) => FoldStep | undefined = (...at) =>
    foldEvent(model, ...at),
): FoldedBatch {
  const results: FoldResult[] = [];
  const steps: FoldedEvent[] = [];
  let before: Snapshot | undefined;
  // Sealed fields take more room, and cannot be compressed.
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

/** How many steps fit into a commit with their states: all, or else half as many, and so on. */
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
  // As JSON, because a control character takes six bytes there.
  const rest = JSON.stringify({ id, source, type, time, replyTo, status, reason, effects });
  return Buffer.byteLength(rest) + Buffer.byteLength(data);
}
