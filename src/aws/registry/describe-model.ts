import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type Clock, systemClock } from '../../common/clock.ts';
import { retry } from '../../common/retry.ts';
import { MilepostError } from '../../core/errors.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { parseFunctionError } from '../functions/invoke-errors.ts';

const attempts = 10;
/** The delay between attempts, in milliseconds. */
const betweenAttempts = 3_000;

/**
 * Requests a model's description from its function with the payload `{"op":"describe"}`. The response is not
 * validated.
 *
 * Retries a denied invocation for half a minute. A deployment grants the permission to invoke a new model shortly
 * before the permission is used, and IAM is eventually consistent.
 *
 * @throws MilepostError `model-fault` if the function ran and failed.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
export function describeModel(
  client: LambdaClient,
  clock: Clock = systemClock,
): (functionArn: string, signal?: AbortSignal) => Promise<unknown> {
  const pauseAfter = (thrown: unknown) => (isAccessDenied(thrown) ? betweenAttempts : undefined);
  return (functionArn, signal) =>
    retry(() => describe(client, functionArn, signal), { attempts, pauseAfter, clock, signal });
}

async function describe(client: LambdaClient, functionArn: string, signal?: AbortSignal) {
  const answer = await client.send(
    new InvokeCommand({
      FunctionName: functionArn,
      Payload: new TextEncoder().encode(JSON.stringify({ op: 'describe' })),
    }),
    { abortSignal: signal },
  );
  const text = new TextDecoder().decode(answer.Payload);
  if (answer.FunctionError !== undefined) {
    const { errorType, errorMessage } = parseFunctionError(text);
    const name = functionArn.replace(/^.*:function:/, '');
    throw new MilepostError(
      'model-fault',
      `the function ${name} could not describe itself: ${errorType}: ${errorMessage}`,
    );
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new MilepostError('model-fault', `${functionArn} returned invalid JSON`, { cause });
  }
}

function isAccessDenied(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AccessDeniedException';
}
