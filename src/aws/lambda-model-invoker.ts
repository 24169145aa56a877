import * as v from 'valibot';
import { audit } from '../core/audit.ts';
import { messageOf } from '../core/errors.ts';
import type {
  AuditInvocation,
  Described,
  ForgetInvocation,
  HistoryForgetter,
  Invocation,
  ModelAuditor,
  ModelDescriber,
  ModelInvoker,
} from '../service/ports.ts';
import type {
  AuditRequest,
  ForgetRequest,
  RebuildRequest,
  TransitionRequest,
} from '../service/protocol.ts';
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

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const forgetAnswer = v.object({ rewritten: count, next: v.exactOptional(count) });

const auditAnswer = v.object({ audits: v.array(audit) });

/** Runs model Lambdas through the Invoke API. */
export class LambdaModelInvoker
  implements ModelInvoker, ModelAuditor, ModelDescriber, HistoryForgetter
{
  readonly #client: Lambda;

  constructor(client: Lambda) {
    this.#client = client;
  }

  transition(
    functionArn: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<Invocation> {
    return this.#invoke(functionArn, request, answer, 'outcomes');
  }

  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation> {
    return this.#invoke(functionArn, request, auditAnswer, 'audits');
  }

  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation> {
    return this.#invoke(functionArn, request, forgetAnswer, 'count of commits');
  }

  describe(functionArn: string): Promise<Described> {
    return this.#invoke(functionArn, { op: 'describe' }, v.unknown(), 'description');
  }

  async #invoke<Answer>(
    functionArn: string,
    request: object,
    schema: v.GenericSchema<unknown, Answer>,
    what: string,
  ): Promise<Invoked<Answer>> {
    try {
      const { payload, functionError } = await this.#client.invoke(
        functionArn,
        JSON.stringify(request),
      );
      if (functionError) return { kind: 'failed', reason: failureText(payload) };
      const parsed = v.safeParse(schema, parseOrUndefined(payload));
      if (parsed.success) return { kind: 'answered', answer: parsed.output };
      const said = payload.slice(0, 200);
      return { kind: 'failed', reason: `the model's Lambda answered no ${what}: ${said}` };
    } catch (error) {
      return { kind: isLasting(error) ? 'failed' : 'unavailable', reason: messageOf(error) };
    }
  }
}

type Invoked<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | Exclude<Invocation, { kind: 'answered' }>;

function failureText(text: string): string {
  const { errorType, errorMessage } = readFailure(text);
  return `the model's Lambda failed: ${errorType} ${errorMessage}`;
}
