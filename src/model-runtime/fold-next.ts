import type { Clock } from '../common/clock.ts';
import type { Commit } from '../core/history/commit.ts';
import { commitMetadata, isNonEmpty, nextCommit } from '../core/history/next-commit.ts';
import type { Model } from '../core/model/model.ts';
import { ModelFault } from '../core/model/model-fault.ts';
import { toIso } from '../core/time/timestamp.ts';
import { type FaultReporter, reasonOfFault } from './fault-reporter.ts';
import { type FoldResult, foldByModel } from './fold-batch.ts';
import type { InstanceWork } from './instance-work.ts';
import { noTime } from './protocol.ts';
import type { InstanceBatch, InstanceBatchResult } from './remote/instance-batch.ts';
import { isRemote, type ModelFunction } from './remote/model-function.ts';

export interface FoldDependencies {
  /** The model, or the model function in another language. */
  readonly model: Model | ModelFunction;
  readonly clock: Clock;
  /** Locates and logs faults in the model's code. @default none, and reasons contain no code position */
  readonly faults?: FaultReporter;
}

/** A commit to write, with the work that it advances. */
export interface PendingCommit {
  readonly work: InstanceWork;
  /** The results of the first unapplied events, which the commit contains. */
  readonly results: readonly FoldResult[];
  readonly commit: Commit;
}

/**
 * Folds each instance's next events. A model function folds only as many instances as fit into one request; the other
 * instances remain unchanged.
 *
 * @param until when to stop, in milliseconds since 1970. The first instance is always folded.
 * @returns a commit for each instance that changes. For each other folded instance, its `InstanceWork` records the
 *   outcomes of the events, or that the instance must be read again.
 * @throws MilepostError like `ModelFunction.fold` if the model is a model function.
 */
export async function foldNext(
  { model, clock, faults }: FoldDependencies,
  works: readonly InstanceWork[],
  until: number,
): Promise<PendingCommit[]> {
  const batches = works.map((work) => work.nextBatch);
  const now = toIso(clock.now());
  // The times of an instance's commits never decrease, even if two functions' clocks differ.
  const recordedAt = ({ head }: InstanceBatch) => (head && head.at > now ? head.at : now);
  const folds = isRemote(model)
    ? await model.fold(batches)
    : foldAll(model, batches, recordedAt, () => clock.now() >= until);
  const pending: PendingCommit[] = [];
  for (const [index, work] of works.entries()) {
    const fold = folds[index];
    if (!fold) continue;
    const commit = commitOf(work, fold, recordedAt(batches[index]!));
    if (commit) pending.push(commit);
    else if ('unavailable' in fold) work.fail('service', fold.unavailable);
    else if (!work.isConsistent) work.requireConsistentRead();
    else if ('results' in fold) work.completeFirst(fold.results);
    else {
      const { fault } = fold;
      if (fault instanceof ModelFault) faults?.log(fault, batches[index]!.events[0]!.event);
      work.fail('model', reasonOfFault(fault, faults));
    }
  }
  return pending;
}

/** Folds batches with the model's own code until `isOver` returns true. The first batch is always folded. */
function foldAll(
  model: Model,
  batches: readonly InstanceBatch[],
  recordedAt: (batch: InstanceBatch) => string,
  isOver: () => boolean,
): InstanceBatchResult[] {
  return batches.map((batch, index) => {
    if (index > 0 && isOver()) return { unavailable: noTime };
    return { model, ...foldByModel(model, batch.head, batch.events, recordedAt(batch)) };
  });
}

/** Returns an instance's next commit; undefined if the fold failed or all its events belong to stale timers. */
function commitOf(
  work: InstanceWork,
  fold: InstanceBatchResult,
  at: string,
): PendingCommit | undefined {
  if (!('results' in fold) || !fold.model) return undefined;
  const { model, results } = fold;
  const steps = results.filter((result) => result !== 'stale-timer');
  if (!isNonEmpty(steps)) return undefined;
  const made = commitMetadata(model, steps.at(-1)!.after.description, at);
  return { work, results, commit: nextCommit(work.key, work.head, steps, made) };
}
