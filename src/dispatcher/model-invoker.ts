import type { ModelAnswer, RebuildRequest, TransitionRequest } from '../model-runtime/protocol.ts';
import type { InvocationResult } from '../stores/invocation-result.ts';

/**
 * The result of invoking a model's Lambda function with events. If the invocation fails, an invocation with fewer
 * events can succeed.
 */
export type TransitionInvocation =
  | InvocationResult<ModelAnswer>
  /** The request exceeds Lambda's payload limit, so the function did not run. */
  | { readonly kind: 'too-large'; readonly reason: string };

export interface ModelInvoker {
  transition(
    functionArn: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation>;
}
