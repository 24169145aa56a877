import type { AuditAnswer, AuditRequest } from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of asking a model's Lambda to audit. */
export type AuditInvocation = InvocationResult<AuditAnswer>;

/** Has a model's Lambda hold instances against their histories. */
export interface ModelAuditor {
  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation>;
}
