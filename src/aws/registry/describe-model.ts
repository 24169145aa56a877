import { type Clock, systemClock } from '../../common/clock.ts';
import { retry } from '../../common/retry.ts';
import { MilepostError } from '../../core/errors.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { Lambda } from '../client/lambda.ts';
import { ServiceError } from '../client/transport/service-error.ts';
import { isPermanentInvokeError, parseFunctionError } from '../functions/invoke-errors.ts';

const attempts = 10;
/** The delay between attempts, in milliseconds. */
const betweenAttempts = 3_000;

/**
 * Returns a function that requests a model's description: it invokes the model's Lambda function with the payload
 * `{"op":"describe"}`. The response is not validated.
 *
 * If Lambda temporarily cannot run the function, the invocation is retried for about half a minute. The invocation can
 * be denied because a deployment grants the permission shortly before this request and IAM is eventually consistent.
 * It can be throttled because the dispatcher can use the function's whole reserved concurrency. A function
 * in a VPC can be inactive because it was idle for weeks; the first invocation reactivates it.
 *
 * @throws MilepostError `model-fault` if the function ran and failed or did not return JSON; ServiceError if Lambda did
 *   not run the function.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 * @see https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
 */
export function describeModel(
  client: Lambda,
  clock: Clock = systemClock,
): (functionArn: string, signal?: AbortSignal) => Promise<unknown> {
  const pauseAfter = (thrown: unknown) =>
    thrown instanceof ServiceError && !isPermanentInvokeError(thrown) ? betweenAttempts : undefined;
  return (functionArn, signal) =>
    retry(() => describe(client, functionArn), { attempts, pauseAfter, clock, signal });
}

async function describe(client: Lambda, functionArn: string): Promise<unknown> {
  const request = JSON.stringify({ op: 'describe' });
  const { payload, functionError } = await client.invoke(functionArn, request);
  if (functionError !== undefined) {
    const { errorType, errorMessage } = parseFunctionError(payload);
    const name = functionArn.replace(/^.*:function:/, '');
    throw new MilepostError(
      'model-fault',
      `the function ${name} could not describe itself: ${errorType}: ${errorMessage}`,
    );
  }
  try {
    return parseJson(payload);
  } catch (cause) {
    throw new MilepostError(
      'model-fault',
      `${functionArn} returned a description that is not valid JSON`,
      { cause },
    );
  }
}
