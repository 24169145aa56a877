import { systemClock } from '../../src/core/clock.ts';
import { MilepostError } from '../../src/core/errors.ts';
import type { EventSchemas, Model } from '../../src/core/model.ts';
import { answerModelRequest, type ModelEnvironment } from '../../src/service/model-handler.ts';
import type { ModelRequest } from '../../src/service/protocol.ts';
import { dataKeys } from './data-keys.ts';
import { modelEnvironment } from './model-environment.ts';

/** How much of the time it has it takes for new commits; the rest is for what follows from them. */
const shareOfTime = 0.6;

/**
 * The Lambda handler of a model: `export const handler = serve(model)`.
 *
 * It applies the events that the dispatcher sends, and describes the model to
 * the registrar. It reads `MILEPOST_INSTANCES_TABLE`, `MILEPOST_STREAM`,
 * `MILEPOST_SIGNING_KEYS` and `MILEPOST_BUS`, which `addModel` sets; without a bus nothing is published.
 *
 * @example
 * const ping = defineProcess({ id: 'ping', milestones: [{ id: 'answered', label: 'Answered' }] });
 *
 * export const handler = serve(ping);
 */
export function serve<State, Events extends EventSchemas>(model: Model<State, Events>) {
  // A model's own state and event types are its business; the runtime handles them as JSON.
  return handlerIn(() => surroundings(model as unknown as Model));
}

/** The Lambda handler of what a model has around it, which is made with the first request. */
export function handlerIn(surroundings: () => ModelEnvironment) {
  let environment: ModelEnvironment | undefined;
  return (request: ModelRequest, context: { getRemainingTimeInMillis(): number }) => {
    environment ??= surroundings();
    const until = systemClock.now() + shareOfTime * context.getRemainingTimeInMillis();
    return answerModelRequest(environment, request, until);
  };
}

function surroundings(model: Model): ModelEnvironment {
  const keys = model.sensitive && dataKeys();
  if (model.sensitive && !keys)
    throw new MilepostError(
      'bad-model',
      `model ${model.id} has sensitive fields: give the ProcessTracker personalData: true`,
    );
  return modelEnvironment(model, keys);
}
