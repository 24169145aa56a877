import { Duration } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * The dispatcher's timeout: the longest that Lambda allows, so that the slowest model that is accepted
 * can time out as often as it takes to isolate one event.
 */
export const dispatcherTimeout = Duration.minutes(15);

/** The longest timeout of a model's function. */
export const maximumModelTimeout = Duration.minutes(2);

/** How often and how long a dispatcher tries a model on an event that it fails on. */
export interface ModelRetries {
  /** 1 or more. */
  readonly modelAttempts: number;
  /** The first pause; each further pause is four times as long. */
  readonly modelBackoff: Duration;
}

/** The part of the dispatcher's timeout in which it invokes models; the rest is for parking and the answer. */
const invokingSeconds = dispatcherTimeout.toSeconds() - 65;

/**
 * The batch, then the instance, time out before an event is tried alone: see `invokeModel`.
 */
const isolatingTimeouts = 2;

/**
 * Checks that a dispatcher has the time to isolate an event on which a model hangs, and to try it as
 * often as it is told.
 *
 * @param subject names the setting to blame, such as `model "orders"`.
 * @throws MilepostError `bad-model` if it does not.
 */
export function checkModelTime(
  subject: string,
  timeout: Duration,
  { modelAttempts, modelBackoff }: ModelRetries,
): void {
  if (timeout.toSeconds() > maximumModelTimeout.toSeconds())
    throw new MilepostError(
      'bad-model',
      `${subject}: \`timeout\` must be at most ${maximumModelTimeout.toSeconds()} seconds; got ${timeout.toSeconds()}`,
    );
  if (!Number.isSafeInteger(modelAttempts) || modelAttempts < 1)
    throw new MilepostError(
      'bad-model',
      `\`modelAttempts\` must be an integer of at least 1; got ${modelAttempts}`,
    );
  const pauses = (modelBackoff.toMilliseconds() / 1000) * ((4 ** (modelAttempts - 1) - 1) / 3);
  const seconds = (isolatingTimeouts + modelAttempts) * timeout.toSeconds() + pauses;
  if (seconds > invokingSeconds)
    throw new MilepostError(
      'bad-model',
      `${subject}: with a \`timeout\` of ${timeout.toSeconds()} s, ${modelAttempts} \`modelAttempts\` and a ` +
        `\`modelBackoff\` of ${modelBackoff.toMilliseconds()} ms, an event on which the model hangs takes ` +
        `${Math.ceil(seconds)} s until it is parked, and the dispatcher has ${invokingSeconds} s: lower one of them`,
    );
}
