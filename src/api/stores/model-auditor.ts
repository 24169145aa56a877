import type { AuditAnswer, AuditRequest } from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of invoking a model's Lambda function to audit instances. */
export type AuditInvocation = InvocationResult<AuditAnswer>;

/** Audits instances against their histories, with the model's Lambda function. */
export interface ModelAuditor {
  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation>;
}
