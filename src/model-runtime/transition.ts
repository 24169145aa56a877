import { Deadline } from '../common/deadline.ts';
import { isPermanent } from '../core/errors.ts';
import type { Head } from '../core/history/commit.ts';
import { recentCount } from '../core/history/seen.ts';
import { defaultSeenLimits, type SeenLimits } from '../core/history/seen-runs.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import { type FoldDependencies, foldNext, type PendingCommit } from './fold-next.ts';
import { type InstanceWork, workByInstance } from './instance-work.ts';
import type { Observer } from './observer.ts';
import { type EventOutcome, noTime, type PositionedEvent } from './protocol.ts';
import { type ReadOptions, readInstances } from './read-instances.ts';
import { completeTails, type TailDependencies } from './tail.ts';

export interface TransitionDependencies extends FoldDependencies, TailDependencies {
  /** Receives statistics about commits. Default: none. */
  readonly observer?: Observer;
  /**
   * The limits at which recent fingerprints are flushed into runs and full runs move to the next level. If the state is
   * large, fingerprints are flushed earlier. Default: `defaultSeenLimits`.
   */
  readonly seenLimits?: SeenLimits;
  /** Called after each round with conflicts, with the number of commits that conflicted with other writers' commits. */
  readonly onConflicts?: (count: number) => void;
}

/** The maximum number of rounds with conflicts before the stream redelivers the events. */
const maximumConflicts = 100;

/**
 * The maximum total size of the states and timers in the commits since the latest flush, in characters, estimated from
 * the latest state and the number of events. A flush reads these commits, and so does the search for an event that a
 * producer sent again. The commits of 1,000 events with large states would take longer to read than an invocation can
 * last, so the flush would never succeed. Models with sensitive fields have a lower limit because sealed fields are
 * longer and compress less well.
 */
const maximumUnflushed = 16 * 1024 * 1024;
const maximumUnflushedIfSealed = maximumUnflushed / 4;

/**
 * The outcome of an event that is not complete when the response is due. AWS caused the delay: if the model's code had
 * blocked the process, it would also have blocked this response.
 */
export const noAnswer = {
  outcome: 'failed',
  fault: 'service',
  reason: "AWS did not respond within the function's time limit",
} as const;

export interface TransitionOptions extends ReadOptions {
  /**
   * When to stop folding, in milliseconds since 1970. The stream redelivers the remaining events.
   *
   * @default never
   */
  readonly until?: number;
  /**
   * When the response is due, even if AWS is slow. The stream redelivers the events that are not complete by then.
   *
   * @default never
   */
  readonly answerBy?: Deadline;
}

/**
 * Applies events for any number of instances of one model. Each instance's events are applied in order. Each round
 * reads the instances, filters out duplicates, folds the next events, and commits them. An instance whose commit
 * conflicted with another writer's commit is processed again in the next round. After the last round, the tails of the
 * commits are completed. A failure of one instance does not affect the other instances.
 *
 * @returns an outcome for each event, in the same order.
 * @throws MilepostError like `ModelFunction.fold` if the model is a model function.
 */
export async function transition(
  dependencies: TransitionDependencies,
  events: readonly PositionedEvent[],
  options: TransitionOptions = {},
): Promise<EventOutcome[]> {
  const works = workByInstance(events);
  const { answerBy = Deadline.none(dependencies.clock) } = options;
  const answer = await answerBy.race(applyAndComplete(dependencies, works, options));
  if (answer === 'late')
    for (const work of works) if (!work.isComplete) work.retryAllLater(noAnswer.reason);
  const outcomes = new Map(works.flatMap((work) => [...work.outcomes]));
  return events.map((event) => outcomes.get(event)!);
}

async function applyAndComplete(
  dependencies: TransitionDependencies,
  works: readonly InstanceWork[],
  options: TransitionOptions,
): Promise<void> {
  await applyAll(dependencies, works, options);
  const observations = works.flatMap((work) => work.observations);
  await Promise.all([
    completeTails(dependencies, works),
    dependencies.observer?.record(observations),
  ]);
}

async function applyAll(
  dependencies: TransitionDependencies,
  works: readonly InstanceWork[],
  options: TransitionOptions,
): Promise<void> {
  const { store, clock, onConflicts } = dependencies;
  const { until = Number.POSITIVE_INFINITY } = options;
  const unfinished = () => works.filter(({ unapplied }) => unapplied.length > 0);
  for (let lost = 0; lost < maximumConflicts && unfinished().length > 0; ) {
    await readInstances(store, unfinished(), options);
    await flushFull(dependencies, unfinished());
    const pending = await foldNext(dependencies, unfinished(), until);
    const conflicts = await writeCommits(store, pending);
    if (conflicts > 0) {
      onConflicts?.(conflicts);
      lost++;
    }
    if (clock.now() < until) continue;
    for (const work of unfinished()) work.fail('service', noTime);
  }
  for (const work of unfinished()) work.fail('service', 'too many conflicts with other writers');
}

/**
 * Flushes the recent fingerprints of instances that have reached the limit for the number of recent events or for the
 * size of the commits since the latest flush.
 */
async function flushFull(
  { store, model, seenLimits = defaultSeenLimits }: TransitionDependencies,
  works: readonly InstanceWork[],
): Promise<void> {
  const unflushed = model.sensitive ? maximumUnflushedIfSealed : maximumUnflushed;
  const isFull = ({ seen, state, timers }: Head) => {
    const count = recentCount(seen);
    const size = state.length + JSON.stringify(timers).length;
    return count >= seenLimits.recent || (count > 0 && count * size >= unflushed);
  };
  const full = works.flatMap(({ head }, index) =>
    head && isFull(head) ? [{ work: works[index]!, head }] : [],
  );
  const answers = await store.flushSeen(
    full.map(({ head }) => head),
    seenLimits,
  );
  for (const [index, { work }] of full.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) work.failStorage(answer.error);
    else work.replaceHead(answer.value);
  }
}

/** Writes pending commits. Returns the number of conflicts. */
async function writeCommits(
  store: InstanceStore,
  pending: readonly PendingCommit[],
): Promise<number> {
  const answers = await store.commit(pending.map(({ commit }) => commit));
  let conflicts = 0;
  for (const [index, { work, results, commit }] of pending.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) {
      if (isPermanent(answer.error)) work.commitRefused(answer.error, results.length);
      else work.failStorage(answer.error);
    } else if (answer.value === 'conflict') {
      work.requireConsistentRead();
      conflicts++;
    } else work.completeFirst(results, commit);
  }
  return conflicts;
}
