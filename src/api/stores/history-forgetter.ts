import type { ForgetAnswer, ForgetRequest } from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of asking a model's Lambda to forget. */
export type ForgetInvocation = InvocationResult<ForgetAnswer>;

/** Has a model's Lambda take forgotten personal data out of a history. */
export interface HistoryForgetter {
  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation>;
}
