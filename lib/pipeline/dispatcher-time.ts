import { Duration } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import { requireDuration } from '../options/require-duration.ts';
import { requireInteger } from '../options/require-integer.ts';

/**
 * The dispatcher's timeout, which is Lambda's maximum: to isolate one event, the dispatcher may have to wait for
 * several timeouts of the slowest model.
 */
export const dispatcherTimeout = Duration.minutes(15);

/** The maximum timeout of a model's function. */
export const maximumModelTimeout = Duration.minutes(2);

/** The retries for an event on which a model fails. */
export interface ModelRetries {
  /** The number of attempts, at least 1. */
  readonly modelAttempts: number;
  /** How long to wait before the first retry. Each later wait is four times as long as the one before. */
  readonly modelBackoff: Duration;
}

/**
 * The part of the dispatcher's timeout that is available for invoking models, in seconds. The rest is reserved for
 * parking and the response.
 */
const invokingSeconds = dispatcherTimeout.toSeconds() - 65;

/**
 * The number of timeouts before the event on which the model hangs is tried alone: one for the batch, and one for the
 * instance. See `invokeModel`.
 */
const isolatingTimeouts = 2;

/**
 * Checks that a dispatcher has enough time to isolate an event on which a model hangs, including all configured
 * retries.
 *
 * @param subject the subject of the error message, such as `model "orders"`.
 * @throws MilepostError `bad-model` if `timeout` exceeds `maximumModelTimeout` or the attempts do not fit in the
 *   dispatcher's time, and `bad-request` for an invalid option.
 */
export function checkModelTime(
  subject: string,
  timeout: Duration,
  { modelAttempts, modelBackoff }: ModelRetries,
): void {
  requireDuration(`${subject}: \`timeout\``, timeout, 'seconds', 1);
  if (timeout.toSeconds() > maximumModelTimeout.toSeconds())
    throw new MilepostError(
      'bad-model',
      `${subject}: \`timeout\` must be at most ${maximumModelTimeout.toSeconds()} seconds; got ${timeout.toSeconds()}`,
    );
  requireInteger('`modelAttempts`', modelAttempts, 1);
  const backoff = modelBackoff.toMilliseconds() / 1000;
  // For hundreds of attempts, the power is infinite, and its product with 0 is not a number.
  const pauses = backoff === 0 ? 0 : backoff * ((4 ** (modelAttempts - 1) - 1) / 3);
  const seconds = (isolatingTimeouts + modelAttempts) * timeout.toSeconds() + pauses;
  if (seconds > invokingSeconds)
    throw new MilepostError(
      'bad-model',
      `${subject}: with a \`timeout\` of ${timeout.toSeconds()} s, ${modelAttempts} \`modelAttempts\`, and a ` +
        `\`modelBackoff\` of ${modelBackoff.toMilliseconds()} ms, parking an event on which the model hangs takes ` +
        `${Math.ceil(seconds)} s, but the dispatcher has only ${invokingSeconds} s; lower one of these settings`,
    );
}
