import type { Invocation } from '../../dispatcher/model-invoker.ts';
import type { AuditAnswer, AuditRequest } from '../../model-runtime/protocol.ts';

/** What became of asking a model's Lambda to audit; see `Invocation`. */
export type AuditInvocation =
  | { readonly kind: 'answered'; readonly answer: AuditAnswer }
  | Exclude<Invocation, { kind: 'answered' | 'too-large' }>;

/** Has a model's Lambda hold instances against their histories. */
export interface ModelAuditor {
  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation>;
}
