import type {
  AuditAnswer,
  AuditRequest,
  DeadlinesAnswer,
  DeadlinesRequest,
  FoldUntilAnswer,
  FoldUntilRequest,
} from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of invoking a model's Lambda function to audit instances. */
export type AuditInvocation = InvocationResult<AuditAnswer>;

/** The result of invoking a model's Lambda function to fold events up to an event time. */
export type FoldUntilInvocation = InvocationResult<FoldUntilAnswer>;

/** The result of invoking a model's Lambda function to compute the timelines of an instance's deadlines. */
export type DeadlinesInvocation = InvocationResult<DeadlinesAnswer>;

/** Invokes a model's Lambda function to fold instances' histories and to compute their deadlines. */
export interface ModelAuditor {
  /** Folds instances' histories and compares the results with the stored states and status rows. */
  audit(functionArn: string, request: AuditRequest): Promise<AuditInvocation>;
  /** Folds an instance's events up to an event time. */
  foldUntil(functionArn: string, request: FoldUntilRequest): Promise<FoldUntilInvocation>;
  /** Computes the timelines of an instance's deadlines. */
  deadlines(functionArn: string, request: DeadlinesRequest): Promise<DeadlinesInvocation>;
}
