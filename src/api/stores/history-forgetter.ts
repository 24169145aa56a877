import type { ForgetAnswer, ForgetRequest } from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of invoking a model's Lambda function to forget personal data. */
export type ForgetInvocation = InvocationResult<ForgetAnswer>;

/** Invokes a model's Lambda function to remove personal data from a history. */
export interface HistoryForgetter {
  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation>;
}
