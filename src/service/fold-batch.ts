import type { Commit, PositionedStep } from '../core/commit.ts';
import { messageOf } from '../core/errors.ts';
import { restore, type Snapshot, step } from '../core/fold.ts';
import type { Model } from '../core/model.ts';
import type { PositionedEvent } from './protocol.ts';

// What one commit takes besides its state of up to 300 KB, in bytes, so that its item stays under
// DynamoDB's 400 KB. Data of a size that would fill it alone is stored apart from the commit.
const maximumEntriesBytes = 24 * 1024;
const maximumStatesBytes = 24 * 1024;

/** The steps that fit into the next commit, or why the very first of them could not be done. */
export type Folded =
  | { readonly steps: readonly [PositionedStep, ...PositionedStep[]] }
  | { readonly fault: string };

/**
 * Folds as many of an instance's events as fit into one commit. Where the
 * model's code fails on an event, the steps before it stand.
 */
export function foldBatch(
  model: Model,
  newest: Commit | undefined,
  events: readonly PositionedEvent[],
): Folded {
  const steps: PositionedStep[] = [];
  let before: Snapshot | undefined = newest && restore(newest.state, newest.description);
  let entriesBytes = 0;
  let statesBytes = 0;
  for (const { event, position } of events) {
    try {
      const next = { ...step(model, before, event), position };
      entriesBytes += entryBytes(next);
      // The last state is the commit's own; only those between two of its entries count.
      if (steps.length > 0) statesBytes += Buffer.byteLength(steps.at(-1)!.after.json);
      const full = entriesBytes > maximumEntriesBytes || statesBytes > maximumStatesBytes;
      if (full && steps.length > 0) break;
      steps.push(next);
      before = next.after;
    } catch (error) {
      if (steps.length === 0) return { fault: messageOf(error) };
      break;
    }
  }
  return { steps: steps as [PositionedStep, ...PositionedStep[]] };
}

function entryBytes({ event, data, reason, after }: PositionedStep): number {
  const { id, source, type, time, replyTo } = event;
  const { status } = after.description;
  // As JSON, because a control character takes six bytes there.
  const rest = JSON.stringify({ id, source, type, time, replyTo, status, reason });
  return Buffer.byteLength(rest) + Buffer.byteLength(data);
}
