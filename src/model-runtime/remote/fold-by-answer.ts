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

/** The part of a function's response for one instance, or the reason that it is invalid. */
export type CheckedAnswer =
  | { readonly answer: InstanceAnswer; readonly wrong?: undefined }
  | { readonly answer?: undefined; readonly wrong: string };

/**
 * Folds an instance's events with the response of a function. The response is validated like the results of a model in
 * TypeScript, and the same limits apply.
 *
 * @param model the model that the function described.
 * @param asked the events that were sent to the function: the first of `events`, without events from stale timers.
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
      // The function stopped before this event, so the next request sends the event again.
      if (place >= steps.length && place > 0 && fault === undefined) return undefined;
      const folded = foldEvent(modelFromAnswer(model, judged, place), before, event);
      // If the function accepted an event that Milepost rejects, its results for later events are invalid.
      isKnown = folded.outcome === 'applied' || v.is(refusal, steps[place]);
      return folded;
    },
  );
}

const refusal = v.object({ accepted: v.literal(false) });

/** Builds a model that returns the function's results for one event. */
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
    throw reported(answer, 'the response has no `start`, which new and migrated instances need');
  };
  return {
    ...model,
    initial: start,
    migrate: start,
    transition() {
      const answer = usable(judged);
      const { steps } = answer;
      if (place >= steps.length) throw reported(answer, 'the response has no step for the event');
      unflawed(steps[place]);
      const answered = v.safeParse(looseStep, steps[place]);
      if (!answered.success)
        throw new RemoteModelFault(`invalid step: ${issuesText(answered.issues)}`);
      if (!answered.output.accepted) return answered.output;
      const { after, effects } = answered.output;
      return { accepted: true, state: at(after), effects: effects as readonly never[] };
    },
    describe: () => current?.description as never,
    keys: () => (current?.keys ?? {}) as never,
  };
}

/**
 * Returns the fault that the function reported; if it reported none, an error that names the missing part of the
 * response.
 */
function reported({ fault, faultPlace }: InstanceAnswer, missing: string): Error {
  return new RemoteModelFault(fault ?? missing, faultPlace);
}

function usable(judged: CheckedAnswer): InstanceAnswer {
  if (judged.answer) return judged.answer;
  throw new RemoteModelFault(judged.wrong);
}

/** Throws a RemoteModelFault if part of a response cannot be stored exactly, such as a number with 20 digits. */
function unflawed(part: unknown): void {
  const flaw = firstFlaw(part as Json);
  if (flaw !== undefined) throw new RemoteModelFault(flaw);
}
