import { messageOf } from '../../common/message-of.ts';
import { type Commit, type Head, headOf, pastInstanceOf } from '../../core/history/commit.ts';
import { commitMetadata, isNonEmpty, nextCommit } from '../../core/history/next-commit.ts';
import { storedReason } from '../../core/history/reason.ts';
import { emptySeen } from '../../core/history/seen.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { Model } from '../../core/model/model.ts';
import { isRebuild } from '../../core/replay/rebuild.ts';
import { eventTimeOf } from '../../core/time/event-time.ts';
import { type FaultReporter, reasonOfFault } from '../fault-reporter.ts';
import { type FoldResult, foldByModel } from '../fold-batch.ts';
import type { FoldUntilAnswer, FoldUntilRequest, PositionedEvent } from '../protocol.ts';
import type { InstanceBatchResult } from '../remote/instance-batch.ts';
import { isRemote, type ModelFunction } from '../remote/model-function.ts';
import {
  foldingEnd,
  type HistoryDependencies,
  OutOfTimeError,
  readHistory,
} from './read-history.ts';

export interface FoldUntilDependencies extends HistoryDependencies {
  readonly model: Model | ModelFunction;
  /** Locates faults in the model's code. Default: none, and reasons contain no code position. */
  readonly faults?: FaultReporter;
}

/**
 * A placeholder for the positions of events. The history does not contain positions, and the result does not need them.
 */
const position = { shard: 'history', sequence: '0' };

/** The error thrown when the model cannot fold an event. */
class FoldError extends Error {}

/**
 * Folds an instance's applied events up to and including the given event time, in the order of the history. Writes
 * nothing.
 *
 * @param until when time runs out, in milliseconds since 1970. Default: never.
 * @returns the instance, which is null if no event was applied up to this time, or the reason that the events cannot be
 *   folded.
 * @throws Error if storage fails; MilepostError like `ModelFunction.fold` if the model is a model function.
 */
export async function foldUntil(
  dependencies: FoldUntilDependencies,
  { transaction, eventTime }: FoldUntilRequest,
  until = Number.POSITIVE_INFINITY,
): Promise<FoldUntilAnswer> {
  const key = { model: dependencies.model.id, transaction };
  const [found] = await dependencies.store.readConsistent([key]);
  if ('error' in found!) throw found.error;
  const { commit: newest } = found!.value;
  const end = foldingEnd(dependencies.clock, until);
  let head: Head | undefined;
  try {
    if (newest)
      for await (const commit of readHistory(dependencies, newest, end))
        head = await foldCommit(dependencies, head, commit, eventTime);
  } catch (error) {
    if (error instanceof FoldError || error instanceof OutOfTimeError)
      return { failure: storedReason(messageOf(error)) };
    throw error;
  }
  return { instance: head?.startedAt == null ? null : pastInstanceOf(head) };
}

/** Folds the applied events of a commit up to the event time. */
async function foldCommit(
  dependencies: FoldUntilDependencies,
  before: Head | undefined,
  commit: Commit,
  eventTime: string,
): Promise<Head | undefined> {
  let head = before;
  let events = eventsUntil(commit, eventTime);
  while (events.length > 0) {
    const fold = await foldEvents(dependencies, head, events, commit.at);
    if (!('results' in fold)) throw new FoldError(reasonOf(fold, dependencies.faults));
    if (fold.model) head = headAfter(fold.model, head, fold.results, commit);
    events = events.slice(fold.results.length);
  }
  return head;
}

function headAfter(
  model: Model,
  before: Head | undefined,
  results: readonly FoldResult[],
  { at, version, ...key }: Commit,
): Head | undefined {
  const steps = results.filter((result) => result !== 'stale-timer');
  if (!isNonEmpty(steps)) return before;
  const made = commitMetadata(model, steps.at(-1)!.after.description, at);
  // This commit is never written, so it does not need the fingerprints that detect duplicates.
  return { ...headOf(nextCommit(key, before, steps, made)), version, seen: emptySeen };
}

function eventsUntil({ entries, at }: Commit, eventTime: string): PositionedEvent[] {
  return entries
    .filter(
      ({ event, outcome }) =>
        outcome === 'applied' && !isRebuild(event) && eventTimeOf(event.time, at) <= eventTime,
    )
    .map(({ event, data }) => ({ event: { ...event, data: parseJson(data) }, position }));
}

async function foldEvents(
  { model }: FoldUntilDependencies,
  head: Head | undefined,
  events: readonly PositionedEvent[],
  recordedAt: string,
): Promise<InstanceBatchResult> {
  if (!isRemote(model)) return { model, ...foldByModel(model, head, events, recordedAt) };
  const [fold] = await model.fold([{ head, events }]);
  return fold!;
}

function reasonOf(
  fold: Exclude<InstanceBatchResult, { readonly results: unknown }>,
  faults: FaultReporter | undefined,
): string {
  if ('unavailable' in fold) return fold.unavailable;
  return `the events up to this time cannot be folded without the later ones; use \`at\` to get a recorded state (${reasonOfFault(fold.fault, faults)})`;
}
