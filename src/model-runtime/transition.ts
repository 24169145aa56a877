import type { Clock } from '../common/clock.ts';
import { Deadline } from '../common/deadline.ts';
import { isPermanent } from '../core/errors.ts';
import { type Commit, isSteps, madeBy, nextCommit } from '../core/history/commit.ts';
import type { Model } from '../core/model/model.ts';
import { ModelFault } from '../core/model/model-fault.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import { mayHaveHad, sortOut } from './duplicates.ts';
import { type Faults, reasonOfFault } from './faults.ts';
import { type Folded, foldBatch } from './fold-batch.ts';
import type { Observer } from './observer.ts';
import type { EventOutcome, PositionedEvent } from './protocol.ts';
import { type AskedModel, type Batch, type BatchFold, isAsked } from './remote/asked-model.ts';
import { doTail, type TailEnvironment } from './tail.ts';
import { type InstanceWork, workByInstance } from './work.ts';

/** What a transition needs around it. */
export interface TransitionEnvironment extends TailEnvironment {
  /** A model's own code, or the function that has it. */
  readonly model: Model | AskedModel;
  readonly clock: Clock;
  /** Is told of commits; none: nobody is. */
  readonly observer?: Observer;
  /** Finds and logs faults of the model's code; none: reasons say no position. */
  readonly faults?: Faults;
  /** Told how many commits of a round another writer was before. */
  readonly onConflicts?: (count: number) => void;
}

/** How often a lost condition is folded again before the events go back to the stream. */
const maximumLosses = 100;

const noTime = 'the function had no time left';

/**
 * The outcome of events that are not done when the answer is due. The model is not at fault: while its
 * code blocks the process nothing can answer, so whatever gives this answer was waiting for AWS.
 */
export const noAnswer = {
  outcome: 'failed',
  fault: 'service',
  reason: "AWS did not answer within the function's time",
} as const;

/** How events are applied. */
export interface TransitionOptions {
  /** These are parked events themselves, so that there is nothing for them to wait behind. */
  readonly resume?: boolean;
  /**
   * Milliseconds since 1970: events that are not folded by then are handed back.
   *
   * @default never
   */
  readonly until?: number;
  /**
   * When the answer is due, whatever AWS does: events that are not done by then are handed back.
   *
   * @default never
   */
  readonly answerBy?: Deadline;
}

/**
 * Applies events of one model, of any number of instances, each instance's in
 * the order given: find out how far it is, drop duplicates, fold, write, and
 * where another writer was first, read and fold again; then the tail. What fails
 * for one instance leaves the others alone.
 *
 * @returns an outcome for each event, in the same order.
 */
export async function transition(
  environment: TransitionEnvironment,
  events: readonly PositionedEvent[],
  options: TransitionOptions = {},
): Promise<EventOutcome[]> {
  const works = workByInstance(events);
  const { answerBy = Deadline.none(environment.clock) } = options;
  const answer = await answerBy.race(applyAll(environment, works, options));
  if (answer === 'late')
    for (const work of works) if (!work.isComplete) work.handBack(noAnswer.reason);
  const outcomes = new Map(works.flatMap((work) => [...work.outcomes]));
  return events.map((event) => outcomes.get(event)!);
}

async function applyAll(
  environment: TransitionEnvironment,
  works: readonly InstanceWork[],
  options: TransitionOptions,
): Promise<void> {
  const { until = Number.POSITIVE_INFINITY } = options;
  const stillOpen = () => works.filter((work) => work.open.length > 0);
  for (let lost = 0; lost < maximumLosses && stillOpen().length > 0; ) {
    await readNewest(environment.store, stillOpen(), options);
    if ((await commitNext(environment, stillOpen(), until)) === 'lost') lost++;
    if (environment.clock.now() < until) continue;
    for (const work of stillOpen()) work.failed('service', noTime);
  }
  for (const work of stillOpen()) work.failed('service', 'other writers kept being first');
  const observations = works.flatMap((work) => work.observations);
  await Promise.all([doTail(environment, works), environment.observer?.saw(observations)]);
}

/** Finds out how far each is where it is not known, and leaves out what the instance has had. */
async function readNewest(
  store: InstanceStore,
  works: readonly InstanceWork[],
  options: TransitionOptions,
): Promise<void> {
  await guess(store, works.filter(isUnknown), options);
  await look(store, works.filter(isUnknown), options);
}

const isUnknown = ({ newest, open }: InstanceWork) => newest === 'unknown' && open.length > 0;

/** Takes what can be told quickly, where it tells that all events are new, and none is parked. */
async function guess(
  store: InstanceStore,
  works: readonly InstanceWork[],
  { resume = false }: TransitionOptions,
): Promise<void> {
  const guessing = works.filter(({ knowledge }) => knowledge === 'guessed');
  const answers = await store.recent(guessing.map((work) => work.key));
  const sorting = guessing.map(async (work, index) => {
    const answer = answers[index]!;
    if ('error' in answer) {
      // Perhaps because of another instance: the closer look is a request for each.
      return isPermanent(answer.error) ? work.lookClosely() : work.refused(answer.error);
    }
    const { head, mayHaveParked } = answer.value;
    work.mayHaveParked = mayHaveParked;
    const isDoubtful = head && work.open.some((event) => mayHaveHad(head, event));
    if (isDoubtful || (mayHaveParked && !resume)) return work.lookClosely();
    work.newest = head;
    return work.keepFresh(await sortOut(store, undefined, work.open), false);
  });
  await Promise.all(sorting);
}

async function look(
  store: InstanceStore,
  works: readonly InstanceWork[],
  { resume = false }: TransitionOptions,
): Promise<void> {
  const answers = await store.newest(works.map((work) => work.key));
  const reading = works.map(async (work, index) => {
    const answer = answers[index]!;
    try {
      if ('error' in answer) throw answer.error;
      const { commit, hasParked } = answer.value;
      work.newest = commit;
      const sorted = await sortOut(store, commit, work.open);
      work.keepFresh(sorted, hasParked || work.mayHaveParked);
      if (hasParked && !resume) work.behind();
    } catch (error) {
      work.refused(error);
    }
  });
  await Promise.all(reading);
}

/** Folds the next commit of each instance and writes it; `lost` when another writer was first. */
async function commitNext(
  { model, store, clock, faults, onConflicts }: TransitionEnvironment,
  works: readonly InstanceWork[],
  until: number,
): Promise<'written' | 'lost'> {
  const folded: { work: InstanceWork; done: readonly Folded[]; commit: Commit }[] = [];
  const batches = works.map(({ newest, next }) => ({
    newest: newest === 'unknown' ? undefined : newest,
    events: next,
  }));
  const folds = isAsked(model)
    ? await model.fold(batches)
    : foldAll(model, batches, () => clock.now() >= until);
  for (const [index, work] of works.entries()) {
    const fold = folds[index]!;
    if ('unavailable' in fold) {
      work.failed('service', fold.unavailable);
      continue;
    }
    const { newest, events } = batches[index]!;
    const result = fold.folded;
    const { done, steps } = 'fault' in result ? { done: [], steps: [] } : result;
    if (isSteps(steps)) {
      const made = madeBy(fold.model!, steps.at(-1)!.after.description, toIso(clock.now()));
      const commit = nextCommit(work.key, newest, steps, made);
      folded.push({ work, done, commit });
    } else if (work.knowledge === 'guessed') work.lookClosely();
    else if ('fault' in result) {
      const { fault } = result;
      if (fault instanceof ModelFault) faults?.log(fault, events[0]!.event);
      work.failed('model', reasonOfFault(fault, faults));
    } else work.done(undefined, done);
  }
  const answers = await store.commit(folded.map(({ commit }) => commit));
  let conflicts = 0;
  for (const [index, { work, done, commit }] of folded.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) {
      if (isPermanent(answer.error)) work.commitRefused(answer.error, done.length);
      else work.refused(answer.error);
    } else if (answer.value === 'conflict') {
      work.lookClosely();
      conflicts++;
    } else work.done(commit, done);
  }
  if (conflicts === 0) return 'written';
  onConflicts?.(conflicts);
  return 'lost';
}

/** @param isOver tells that the time for folding is used up; the first batch is folded in any case. */
function foldAll(model: Model, batches: readonly Batch[], isOver: () => boolean): BatchFold[] {
  return batches.map(({ newest, events }, index) =>
    index > 0 && isOver()
      ? { unavailable: noTime }
      : { model, folded: foldBatch(model, newest, events) },
  );
}
