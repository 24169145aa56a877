import * as v from 'valibot';
import type { ForgetInvocation, HistoryForgetter } from '../../api/stores/history-forgetter.ts';
import type {
  AuditInvocation,
  DeadlinesInvocation,
  FoldUntilInvocation,
  ModelAuditor,
} from '../../api/stores/model-auditor.ts';
import type { DescribeInvocation, ModelDescriber } from '../../api/stores/model-describer.ts';
import { messageOf } from '../../common/message-of.ts';
import { descriptionSchema } from '../../core/model/check-description.ts';
import { auditSchema } from '../../core/replay/audit.ts';
import type { ModelInvoker, TransitionInvocation } from '../../dispatcher/model-invoker.ts';
import {
  type AuditRequest,
  type DeadlinesAnswer,
  type DeadlinesRequest,
  type FoldUntilAnswer,
  type FoldUntilRequest,
  type ForgetRequest,
  faultKinds,
  type RebuildRequest,
  type TransitionRequest,
} from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';
import type { Lambda } from '../client/lambda.ts';
import {
  isPayloadTooLarge,
  isPermanentInvokeError,
  parseFunctionError,
  parseJsonOrUndefined,
} from './invoke-errors.ts';

const transitionAnswer = v.object({
  outcomes: v.array(
    v.variant('outcome', [
      v.object({ outcome: v.literal('applied') }),
      v.object({ outcome: v.literal('duplicate'), parked: v.optional(v.boolean()) }),
      v.object({ outcome: v.literal('behind') }),
      v.object({ outcome: v.literal('rejected'), reason: v.string() }),
      v.object({
        outcome: v.literal('failed'),
        fault: v.picklist(faultKinds),
        reason: v.string(),
      }),
    ]),
  ),
});

/**
 * The maximum size of a request to fold events, in bytes. Lambda accepts 6 MB; the rest is reserved for encoding.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maximumPayloadBytes = 5 * 1024 * 1024;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const forgetAnswer = v.object({ rewritten: count, next: v.exactOptional(count) });

const unavailableAnswer = v.object({ unavailable: v.string() });

const auditAnswer = v.object({ audits: v.array(auditSchema) });

const foldUntilAnswer: v.GenericSchema<unknown, FoldUntilAnswer> = v.union([
  v.object({ failure: v.string() }),
  v.object({
    instance: v.nullable(
      v.object({
        model: v.string(),
        transaction: v.string(),
        version: count,
        at: v.string(),
        startedAt: v.nullable(v.string()),
        statusSince: v.string(),
        modelVersion: count,
        progress: v.nullable(v.number()),
        lateAt: v.nullable(v.string()),
        riskAt: v.nullable(v.string()),
        deadlines: v.exactOptional(v.array(v.string())),
        description: v.object({
          ...descriptionSchema.entries,
          keys: v.optional(v.array(v.string())),
        }),
        state: v.string(),
        timers: v.array(v.object({ name: v.string(), dueAt: v.string(), run: v.string() })),
      }),
    ),
  }),
]);

const span = v.object({ from: v.string(), until: v.string() });

const deadlinesAnswer: v.GenericSchema<unknown, DeadlinesAnswer> = v.union([
  v.object({ failure: v.string() }),
  v.object({
    deadlines: v.record(
      v.string(),
      v.object({
        start: v.string(),
        end: v.string(),
        pauses: v.array(span),
        closed: v.array(span),
      }),
    ),
  }),
]);

/** Invokes models' Lambda functions through the Lambda Invoke API. */
export class LambdaModelInvoker
  implements ModelInvoker, ModelAuditor, ModelDescriber, HistoryForgetter
{
  readonly #client: Lambda;

  constructor(client: Lambda) {
    this.#client = client;
  }

  async transition(
    functionArn: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation> {
    const payload = JSON.stringify(request);
    const bytes = Buffer.byteLength(payload);
    if (bytes > maximumPayloadBytes)
      return { kind: 'too-large', reason: `a request of ${bytes} bytes is too large for Lambda` };
    return this.#invoke(functionArn, payload, transitionAnswer, 'outcomes');
  }

  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation> {
    return this.#ask(functionArn, request, auditAnswer, 'audits');
  }

  foldUntil(functionArn: string, request: FoldUntilRequest): Promise<FoldUntilInvocation> {
    return this.#ask(functionArn, request, foldUntilAnswer, 'instance');
  }

  deadlines(functionArn: string, request: DeadlinesRequest): Promise<DeadlinesInvocation> {
    return this.#ask(functionArn, request, deadlinesAnswer, 'deadlines');
  }

  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation> {
    return this.#ask(functionArn, request, forgetAnswer, 'count of commits');
  }

  describe(functionArn: string): Promise<DescribeInvocation> {
    return this.#ask(functionArn, { op: 'describe' }, v.unknown(), 'description');
  }

  /** Sends a request that cannot be split. It fails if it is too large. */
  async #ask<Answer>(
    functionArn: string,
    request: object,
    schema: v.GenericSchema<unknown, Answer>,
    what: string,
  ): Promise<InvocationResult<Answer>> {
    const invoked = await this.#invoke(functionArn, JSON.stringify(request), schema, what);
    return invoked.kind === 'too-large' ? { ...invoked, kind: 'failed' } : invoked;
  }

  async #invoke<Answer>(
    functionArn: string,
    payload: string,
    schema: v.GenericSchema<unknown, Answer>,
    what: string,
  ): Promise<InvocationOf<Answer>> {
    try {
      const invoked = await this.#client.invoke(functionArn, payload);
      if (invoked.functionError) return { kind: 'failed', reason: failureText(invoked.payload) };
      const value = parseJsonOrUndefined(invoked.payload);
      if (v.is(unavailableAnswer, value)) return { kind: 'unavailable', reason: value.unavailable };
      const parsed = v.safeParse(schema, value);
      if (parsed.success) return { kind: 'answered', answer: parsed.output };
      const said = invoked.payload.slice(0, 200);
      return { kind: 'failed', reason: `the model's function returned no valid ${what}: ${said}` };
    } catch (error) {
      const reason = messageOf(error);
      if (isPayloadTooLarge(error)) return { kind: 'too-large', reason };
      return { kind: isPermanentInvokeError(error) ? 'failed' : 'unavailable', reason };
    }
  }
}

type InvocationOf<Answer> =
  | InvocationResult<Answer>
  | { readonly kind: 'too-large'; readonly reason: string };

function failureText(text: string): string {
  const { errorType, errorMessage } = parseFunctionError(text);
  return `the model's function failed: ${errorType} ${errorMessage}`;
}
