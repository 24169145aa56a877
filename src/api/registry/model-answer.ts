import type { InvocationResult } from '../../stores/invocation-result.ts';
import { Problem } from '../http/problem.ts';

/**
 * Returns the response of a model's Lambda function.
 *
 * @throws Problem 503 if the function is unavailable, 409 if it failed.
 */
export function modelAnswer<Answer extends object>(
  invocation: InvocationResult<Answer>,
): Exclude<Answer, { readonly failure: string }> {
  if (invocation.kind === 'unavailable')
    throw new Problem(503, `the model's Lambda function is unavailable: ${invocation.reason}`);
  if (invocation.kind === 'failed') throw new Problem(409, invocation.reason);
  const { answer } = invocation;
  if (isFailure(answer)) throw new Problem(409, answer.failure);
  return answer as Exclude<Answer, { readonly failure: string }>;
}

const isFailure = (answer: object): answer is { readonly failure: string } => 'failure' in answer;
