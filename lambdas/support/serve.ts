import { systemClock } from '../../src/common/clock.ts';
import { Deadline } from '../../src/common/deadline.ts';
import { MilepostError } from '../../src/core/errors.ts';
import type { EventSchemas, Model } from '../../src/core/model/model.ts';
import {
  handleModelRequest,
  type ModelDependencies,
} from '../../src/model-runtime/model-handler.ts';
import type { ModelRequest } from '../../src/model-runtime/protocol.ts';
import { dataKeys } from './data-keys.ts';
import { modelDependencies } from './model-dependencies.ts';

/** The share of the function's time in which commits are made; the rest is for their tails. */
const shareOfTime = 0.6;
/** Kept back for the answer, in milliseconds, and at most this share of the function's time. */
const timeToAnswer = 1_000;
const shareToAnswer = 0.1;

/**
 * The Lambda handler of a model: `export const handler = serve(model)`.
 *
 * It applies the events that the dispatcher sends, and describes the model to
 * the registrar. It reads `MILEPOST_INSTANCES_TABLE`, `MILEPOST_STREAM`,
 * `MILEPOST_SIGNING_KEYS` and `MILEPOST_NOTIFICATION_STREAM`, which `addModel` sets; without the last one
 * nothing is published.
 *
 * @param model the model that the function runs.
 * @returns The handler.
 *
 * @example
 * const ping = defineProcess({ id: 'ping', milestones: [{ id: 'answered', label: 'Answered' }] });
 *
 * export const handler = serve(ping);
 */
export function serve<State, Events extends EventSchemas>(model: Model<State, Events>) {
  // A model's own state and event types are its business; the runtime handles them as JSON.
  return modelHandler(() => dependenciesOf(model as unknown as Model));
}

/** The Lambda handler of what a model has around it, which is made with the first request. */
export function modelHandler(surroundings: () => ModelDependencies) {
  let dependencies: ModelDependencies | undefined;
  return (request: ModelRequest, context: { getRemainingTimeInMillis(): number }) => {
    dependencies ??= surroundings();
    const now = systemClock.now();
    const time = context.getRemainingTimeInMillis();
    const reserve = Math.min(timeToAnswer, shareToAnswer * time);
    return handleModelRequest(dependencies, request, {
      until: now + shareOfTime * time,
      answerBy: new Deadline(systemClock, now + time - reserve),
    });
  };
}

function dependenciesOf(model: Model): ModelDependencies {
  const keys = model.sensitive && dataKeys();
  if (model.sensitive && !keys)
    throw new MilepostError(
      'bad-model',
      `model ${model.id} has sensitive fields: give the ProcessTracker personalData: true`,
    );
  return modelDependencies(model, keys);
}
