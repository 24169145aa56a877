import * as v from 'valibot';
import { messageOf } from '../core/errors.ts';
import type { Described, Invocation, ModelDescriber, ModelInvoker } from '../service/ports.ts';
import type { TransitionRequest } from '../service/protocol.ts';
import type { Lambda } from './client/lambda.ts';
import { isLasting, parseOrUndefined, readFailure } from './invoke-failure.ts';

const answer = v.object({
  outcomes: v.array(
    v.variant('outcome', [
      v.object({ outcome: v.literal('applied') }),
      v.object({ outcome: v.literal('duplicate'), parked: v.optional(v.boolean()) }),
      v.object({ outcome: v.literal('behind') }),
      v.object({ outcome: v.literal('rejected'), reason: v.string() }),
      v.object({
        outcome: v.literal('failed'),
        fault: v.picklist(['model', 'service']),
        reason: v.string(),
      }),
    ]),
  ),
});

/** Runs model Lambdas through the Invoke API. */
export class LambdaModelInvoker implements ModelInvoker, ModelDescriber {
  readonly #client: Lambda;

  constructor(client: Lambda) {
    this.#client = client;
  }

  async transition(functionArn: string, request: TransitionRequest): Promise<Invocation> {
    try {
      const { payload, functionError } = await this.#client.invoke(
        functionArn,
        JSON.stringify(request),
      );
      if (functionError) return { kind: 'failed', reason: failureText(payload) };
      return toInvocation(payload);
    } catch (error) {
      return refusal(error);
    }
  }

  async describe(functionArn: string): Promise<Described> {
    try {
      const { payload, functionError } = await this.#client.invoke(
        functionArn,
        JSON.stringify({ op: 'describe' }),
      );
      if (functionError) return { kind: 'failed', reason: failureText(payload) };
      return { kind: 'answered', answer: parseOrUndefined(payload) };
    } catch (error) {
      return refusal(error);
    }
  }
}

const refusal = (error: unknown) =>
  ({ kind: isLasting(error) ? 'failed' : 'unavailable', reason: messageOf(error) }) as const;

function toInvocation(text: string): Invocation {
  const parsed = v.safeParse(answer, parseOrUndefined(text));
  return parsed.success
    ? { kind: 'answered', answer: parsed.output }
    : { kind: 'failed', reason: `the model's Lambda answered no outcomes: ${text.slice(0, 200)}` };
}

function failureText(text: string): string {
  const { errorType, errorMessage } = readFailure(text);
  return `the model's Lambda failed: ${errorType} ${errorMessage}`;
}
