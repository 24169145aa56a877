import type { ForgetAnswer, ForgetRequest } from '../../model-runtime/protocol.ts';
import type { InvocationResult } from '../../stores/invocation-result.ts';

/** The result of invoking a model's Lambda function to forget personal data. */
export type ForgetInvocation = InvocationResult<ForgetAnswer>;

/** Removes forgotten personal data from a history, with the model's Lambda function. */
export interface HistoryForgetter {
  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation>;
}
