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

/**
 * The share of the function's time that is available for commits. The remaining time is reserved for the tails of the
 * commits (see `CommitTail`) and for the response.
 */
const shareOfTime = 0.6;
/** How much time to reserve for the response: in milliseconds, and as a maximum share of the function's time. */
const timeToAnswer = 1_000;
const shareToAnswer = 0.1;

/**
 * The Lambda handler of a model, which `serve` creates. Lambda calls the handler with the requests of Milepost's
 * functions.
 */
export type ModelHandler = (
  request: ModelRequest,
  context: { getRemainingTimeInMillis(): number },
) => ReturnType<typeof handleModelRequest>;

/**
 * Creates the Lambda handler of a model: `export const handler = serve(model)`.
 *
 * The handler applies the events that the dispatcher sends, describes the model to the registrar, and responds to the
 * API's requests, for example, to audit instances. The handler reads the environment variables that `addModel` sets.
 * `MILEPOST_INSTANCES_TABLE`, `MILEPOST_STREAM`, and `MILEPOST_SIGNING_KEYS` are required; without
 * `MILEPOST_NOTIFICATION_STREAM`, notifications are disabled.
 *
 * @param model the model that the function runs.
 * @returns the handler.
 *
 * @example
 * const ping = defineProcess({ id: 'ping', milestones: [{ id: 'answered', label: 'Answered' }] });
 *
 * export const handler = serve(ping);
 */
export function serve<State, Events extends EventSchemas>(
  model: Model<State, Events>,
): ModelHandler {
  // The runtime handles states and events as JSON, so it does not need the types of the model.
  return modelHandler(() => dependenciesOf(model as unknown as Model));
}

/** Creates the Lambda handler of a model. `createDependencies` is called on the first request. */
export function modelHandler(createDependencies: () => ModelDependencies): ModelHandler {
  let dependencies: ModelDependencies | undefined;
  return (request, context) => {
    dependencies ??= createDependencies();
    const time = context.getRemainingTimeInMillis();
    const reserve = Math.min(timeToAnswer, shareToAnswer * time);
    return handleModelRequest(dependencies, request, {
      until: systemClock.now() + shareOfTime * time,
      answerBy: Deadline.in(systemClock, time - reserve),
    });
  };
}

function dependenciesOf(model: Model): ModelDependencies {
  // A model without sensitive fields also needs the keys: after a rollback, or after a field was unmarked, its
  // instances and parked events contain data that another version sealed.
  const keys = dataKeys();
  if (model.sensitive && !keys)
    throw new MilepostError(
      'bad-model',
      `model ${model.id} has sensitive fields, which require personalData: true on the ProcessTracker`,
    );
  return modelDependencies(model, keys);
}
