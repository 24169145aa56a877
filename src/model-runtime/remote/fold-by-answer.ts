import * as v from 'valibot';
import { issuesText } from '../../common/schema-issues.ts';
import type { Head } from '../../core/history/commit.ts';
import { type FoldStep, foldEvent } from '../../core/history/fold.ts';
import { firstFlaw } from '../../core/json/exact-json.ts';
import type { Json } from '../../core/json/json.ts';
import type { Model } from '../../core/model/model.ts';
import { RemoteModelFault } from '../../core/model/model-fault.ts';
import { type FoldedBatch, foldBatch } from '../fold-batch.ts';
import type { PositionedEvent } from '../protocol.ts';
import { type InstanceAnswer, looseStep, type SnapshotAnswer } from './schemas.ts';

/** What a function answered for an instance, or why that cannot be used. */
export type CheckedAnswer =
  | { readonly answer: InstanceAnswer; readonly wrong?: undefined }
  | { readonly answer?: undefined; readonly wrong: string };

/**
 * Folds an instance's events by what the function answered for them, as a model's own code would be: all
 * that it says is checked in the same way, and what Milepost itself refuses is refused.
 *
 * @param model what the function described.
 * @param asked the events that it was asked about: the first of them, but for those that are over.
 */
export function foldByAnswer(
  model: Model,
  newest: Head | undefined,
  events: readonly PositionedEvent[],
  asked: readonly PositionedEvent[],
  judged: CheckedAnswer,
): FoldedBatch {
  const places = new Map(asked.map(({ event }, place) => [event, place]));
  let isKnown = true;
  return foldBatch(
    modelFromAnswer(model, judged, 0),
    newest,
    events,
    (before, event): FoldStep | undefined => {
      const place = places.get(event);
      if (place === undefined || !isKnown) return undefined;
      const { steps, fault } = judged.answer ?? { steps: [] };
      // It stopped before this one, which is asked about again.
      if (place >= steps.length && place > 0 && fault === undefined) return undefined;
      const folded = foldEvent(modelFromAnswer(model, judged, place), before, event);
      // What Milepost refused was taken by the function: what it says of later events is of no use.
      isKnown = folded.outcome === 'applied' || v.is(refusal, steps[place]);
      return folded;
    },
  );
}

const refusal = v.object({ accepted: v.literal(false) });

/** The model as its function answered for one event. */
function modelFromAnswer(model: Model, judged: CheckedAnswer, place: number): Model {
  let current: SnapshotAnswer | undefined;
  const at = (answered: SnapshotAnswer) => {
    current = answered;
    return answered.state;
  };
  const start = () => {
    const answer = usable(judged);
    unflawed(answer.start);
    if (answer.start) return at(answer.start);
    throw reported(answer, 'it answered no `start`, which a new instance and a migrated one need');
  };
  return {
    ...model,
    initial: start,
    migrate: start,
    transition() {
      const answer = usable(judged);
      const { steps } = answer;
      if (place >= steps.length) throw reported(answer, 'it answered no step for the event');
      unflawed(steps[place]);
      const answered = v.safeParse(looseStep, steps[place]);
      if (!answered.success)
        throw new RemoteModelFault(`the step is wrong: ${issuesText(answered.issues)}`);
      if (!answered.output.accepted) return answered.output;
      const { after, effects } = answered.output;
      return { accepted: true, state: at(after), effects: effects as readonly never[] };
    },
    describe: () => current?.description as never,
    keys: () => (current?.keys ?? {}) as never,
  };
}

/** The fault that the function reported, or what is missing where it reported none. */
function reported({ fault, faultPlace }: InstanceAnswer, missing: string): Error {
  return new RemoteModelFault(fault ?? missing, faultPlace);
}

function usable(judged: CheckedAnswer): InstanceAnswer {
  if (judged.answer) return judged.answer;
  throw new RemoteModelFault(judged.wrong);
}

/** @throws RemoteModelFault for what JSON says that cannot be kept as it is, such as a number of 20 digits. */
function unflawed(part: unknown): void {
  const flaw = firstFlaw(part as Json);
  if (flaw !== undefined) throw new RemoteModelFault(flaw);
}
